/** What an operator is told of a publish, whichever interface it came by: a count by its outcome, and a line of the log that names its article. */
import type { FastifyError, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { toProblem } from '../plugins/errors/to-problem.ts';
import type { PublishAnswer } from './schema.ts';

/** REST is not among them: it is counted by its route, since most of what it refuses does not get as far as a publish. */
export interface PublishOrigin {
  via: 'desk' | 'graphql';
  request: FastifyRequest;
}

export interface Published {
  articleId: string;
  action: PublishAnswer['action'];
  /** An earlier request did it; this one has its answer. */
  isReplay: boolean;
}

/** Throws what `publish` throws, once it is counted. */
export async function observePublish<T extends Published>(
  { metrics }: Pick<ApiDeps, 'metrics'>,
  { via, request }: PublishOrigin,
  publish: () => Promise<T>,
): Promise<T> {
  let published: T;
  try {
    published = await publish();
  } catch (error) {
    metrics?.countPublish(via, toProblem(error as FastifyError, request).code);
    throw error;
  }
  metrics?.countPublish(via, published.isReplay ? 'replayed' : published.action);
  logPublish(request, published);
  return published;
}

/** By the article's id, the lines of its workflows are found that this request set off. */
export function logPublish({ log }: FastifyRequest, { articleId, action, isReplay }: Published): void {
  log.info({ articleId, action, isReplay }, 'article published');
}
