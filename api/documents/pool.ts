/**
 * Reads and renders documents in worker threads, so that one document cannot block the process.
 * Previews have a low-priority thread. Work for readers always leaves one thread for publishes.
 */
import { availableParallelism } from 'node:os';
import { TooComplexError } from '../../article/errors.ts';
import type { StoredDraft } from '../../article/export/stored-draft.ts';
import { writeDocument } from '../../article/export/write-document.ts';
import { createFairQueue, type QueueLoad, WaitedTooLongError } from '../../runtime/threads/fair-queue.ts';
import { createThreadPool, ThreadLimitError, type ThreadPool } from '../../runtime/threads/pool.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import type { Outcome, Task, Tasks } from './worker.ts';

const DEFAULT_TIME_LIMIT_MS = 5_000;
/**
 * Above the CPU limit, because a thread gets little CPU on a busy machine. Together with the waits
 * before it, shorter than the claim of an idempotency key.
 */
const WALL_LIMIT_MS = 15_000;
/** Shorter than clients wait for a response. */
const DEFAULT_MAX_WAIT_MS = 8_000;
const BACKGROUND_NICENESS = 19;
/** A preview cannot be interrupted, so it runs at a lower CPU priority than publishes. */
const PREVIEW_NICENESS = 10;

export interface DocumentPoolOptions {
  /** CPU time for one document in its thread. Default: 5,000. */
  timeLimitMs?: number;
  /** Maximum wait for a thread. Default: 8,000. */
  maxWaitMs?: number;
  /**
   * Threads for publishes and readers, besides one for previews. At least two by default, so that a
   * slow document leaves one free.
   */
  maxThreads?: number;
  /** Runs at the lowest CPU priority, without an idle thread. For work without a waiting client. */
  inBackground?: boolean;
}

export const DOCUMENTS_BUSY = 'documents_busy';

/** The machine is busy, or too many documents wait, in total or of this author. Retryable. */
export class DocumentsBusyError extends ProblemError {
  constructor() {
    const detail =
      'The server is busy with other documents, of this author or of others. Nothing was changed; try again in a moment.';
    super(503, DOCUMENTS_BUSY, detail, { headers: { 'retry-after': '5' } });
  }
}

/**
 * An author has one thread at a time for publishes, one for readers and one for previews. Authors
 * share the threads fairly. All methods throw `TooComplexError` (time, memory or a limit exceeded)
 * or `DocumentsBusyError`.
 */
export type DocumentPool = ReturnType<typeof createDocumentPool>;

/** Runs a task for an owner, such as an author. */
type Run<Name extends keyof Tasks> = (
  owner: string,
  ...args: Parameters<Tasks[Name]>
) => Promise<Awaited<ReturnType<Tasks[Name]>>>;

export function createDocumentPool(options: DocumentPoolOptions = {}) {
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS, maxWaitMs = DEFAULT_MAX_WAIT_MS, inBackground = false } = options;
  const maxThreads = options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism()));
  const filename = new URL('./worker.ts', import.meta.url).href;
  const limits = { filename, timeLimitMs, wallLimitMs: WALL_LIMIT_MS, maxWaitMs };
  const threads = createThreadPool<Task, Outcome>({
    ...limits,
    minThreads: inBackground ? 0 : 1,
    maxThreads,
    niceness: inBackground ? BACKGROUND_NICENESS : 0,
  });
  const previewThreads = createThreadPool<Task, Outcome>({
    ...limits,
    minThreads: 0,
    maxThreads: 1,
    niceness: PREVIEW_NICENESS,
  });
  const readerQueue = createFairQueue({ maxRunning: Math.max(1, maxThreads - 1), maxWaitMs });

  const defineTask = <Name extends keyof Tasks>(name: Name, run: ThreadPool<Task, Outcome>['run']): Run<Name> => {
    const runTask = async (owner: string, ...args: unknown[]): Promise<unknown> => {
      const outcome = await run(owner, { name, args }).catch((error: unknown) => {
        throw explainLimit(error, timeLimitMs);
      });
      if ('tooComplex' in outcome) throw new TooComplexError(outcome.tooComplex.message, outcome.tooComplex.line);
      return outcome.value;
    };
    return runTask as Run<Name>;
  };
  // Not queued behind the owner's publishes: a waiting task would occupy a slot of `readerQueue`.
  const runForReaders = (owner: string, task: Task) =>
    readerQueue.run(owner, () => threads.run(`reader ${owner}`, task));
  const restore = defineTask('restoreDocument', previewThreads.run);

  return {
    /** Does all work of a publish in one round trip. */
    readAndRender: defineTask('readAndRender', threads.run),
    /** Writes an author's choices into a document. */
    applyChoices: defineTask('applyChoices', threads.run),
    /** Derives the data that pages show of an article. */
    derive: defineTask('derive', runForReaders),
    /** Lists the words of an article for the search index. */
    listWords: defineTask('listWords', runForReaders),
    renderComment: defineTask('renderComment', runForReaders),
    /** Writes the body of a Markdown alternate. */
    writeMarkdown: defineTask('writeMarkdown', runForReaders),
    /** Renders a text as readers would see it, and lists what destinations would lose. */
    preview: defineTask('preview', previewThreads.run),
    restoreDocument: (authorId: string, article: StoredDraft, now: Date) =>
      restore(authorId, article, now).catch((error: unknown) => {
        // An accepted document that exceeds a limit today can still be edited, as it is stored.
        if (error instanceof TooComplexError) return writeDocument(article);
        throw error;
      }),
    /** Counts running and waiting documents. */
    load(): QueueLoad {
      const [documents, previews] = [threads.load(), previewThreads.load()];
      return {
        running: documents.running + previews.running,
        waiting: documents.waiting + previews.waiting + readerQueue.load().waiting,
      };
    },
    /** Finishes running work. Work of a background pool is aborted. */
    async close(): Promise<void> {
      await Promise.all([inBackground ? threads.destroy() : threads.close(), previewThreads.close()]);
    },
  };
}

function explainLimit(error: unknown, timeLimitMs: number): unknown {
  const limit = error instanceof WaitedTooLongError ? 'wait' : error instanceof ThreadLimitError ? error.limit : null;
  if (limit === null) return error;
  if (limit === 'wait') return new DocumentsBusyError();
  if (limit === 'memory') return new TooComplexError('The document takes too much memory to render.');
  return new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
}
