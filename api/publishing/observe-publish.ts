/** Reports a publish to the operator: counts its outcome and logs its article. */
import type { FastifyError, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { toProblem } from '../plugins/errors/to-problem.ts';
import type { PublishResponseBody } from './schema.ts';

/** REST publishes are counted by route, because most rejections precede `publish`. */
export interface PublishOrigin {
  via: 'desk' | 'graphql';
  request: FastifyRequest;
}

export interface Published {
  articleId: string;
  action: PublishResponseBody['action'];
  /** True if an earlier request did the work and this one got its response. */
  isReplay: boolean;
}

/** Rethrows errors of `publish` after counting them. */
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

/** Logs the article id, which also appears in the log lines of the workflows that follow. */
export function logPublish({ log }: FastifyRequest, { articleId, action, isReplay }: Published): void {
  log.info({ articleId, action, isReplay }, 'article published');
}
