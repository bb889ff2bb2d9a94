/** Reading and rendering in worker threads, so that one author's documents can stall neither the process nor other authors. */
import { availableParallelism } from 'node:os';
import type { DeriveOptions } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import type { RenderedComment } from '../../article/render/render-comment.ts';
import type { DerivedArticle, DocumentInput, ReadResult } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { createThreadPool, ThreadLimitError } from '../../threads/pool.ts';
import type { PreflightQuestion } from './preflight-question.ts';
import type { CommentAnswer, CommentTask, DocumentAnswer, DocumentTask } from './worker.ts';

const DEFAULT_TIME_LIMIT_MS = 5_000;
/** Less than any client waits for its answer. */
const DEFAULT_LONGEST_WAIT_MS = 10_000;

export interface DocumentPoolOptions {
  /** For one document, from the moment a thread takes it up; 5,000 where it is not given. */
  timeLimitMs?: number;
  /** For a place among the threads; 10,000 where it is not given. */
  longestWaitMs?: number;
  /** At least two by default, so that a slow document leaves a thread to the others. */
  maxThreads?: number;
}

/** Too many documents are waiting, or too many of this author: nothing was begun, and a later try may find a place. */
export class DocumentsBusyError extends Error {
  override name = 'DocumentsBusyError';
}

export interface ReadDocument {
  read: ReadResult;
  /** Null where the document is refused. */
  derived: DerivedArticle | null;
  /** Where they were asked for, of an article that will be delivered: what its platforms would lose or refuse. */
  preflights: Preflight[] | undefined;
}

export interface DocumentPool {
  /**
   * In one round trip and with one parsing. An author has one thread at a time, and authors take turns. Throws `TooComplexError` (time or
   * memory spent, or a limit exceeded) or `DocumentsBusyError`.
   */
  readAndDerive(
    authorId: string,
    document: { input: DocumentInput; options: DeriveOptions; question?: PreflightQuestion | undefined },
  ): Promise<ReadDocument>;
  /** A comment takes its turn among its writer's documents. Throws as `readAndDerive`. */
  renderComment(writerId: string, comment: string, siteOrigin: string): Promise<RenderedComment>;
  close(): Promise<void>;
}

export function createDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const threads = createThreadPool<DocumentTask | CommentTask, DocumentAnswer & CommentAnswer>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism())),
    timeLimitMs,
    longestWaitMs: options.longestWaitMs ?? DEFAULT_LONGEST_WAIT_MS,
  });
  const run = async (owner: string, task: DocumentTask | CommentTask) => {
    const answer = await threads.run(owner, task).catch((error: unknown) => {
      throw error instanceof ThreadLimitError ? explainLimit(error, timeLimitMs) : error;
    });
    if (answer.tooComplex) throw new TooComplexError(answer.tooComplex.message, answer.tooComplex.line);
    return answer;
  };
  return {
    async readAndDerive(authorId, { input, options, question }) {
      const answer = await run(authorId, { input, options, question });
      return { read: getRead(answer), derived: answer.derived ?? null, preflights: answer.preflights };
    },
    async renderComment(writerId, comment, siteOrigin) {
      const { rendered } = await run(writerId, { comment, siteOrigin });
      if (rendered === undefined) throw new Error('The worker answered without what was rendered.');
      return rendered;
    },
    close: () => threads.close(),
  };
}

function explainLimit({ limit }: ThreadLimitError, timeLimitMs: number): Error {
  if (limit === 'wait') return new DocumentsBusyError('no thread was free in time');
  if (limit === 'memory') return new TooComplexError('The document takes too much memory to render.');
  return new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
}

function getRead({ read }: DocumentAnswer): ReadResult {
  if (read === undefined) throw new Error('The worker answered without what was read.');
  const excess = read.ok ? undefined : read.problems.find(({ code }) => code === 'too_complex');
  if (excess !== undefined) throw new TooComplexError(excess.message, excess.line);
  return read;
}
