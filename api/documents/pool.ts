/**
 * Reading and rendering in worker threads, so that one author's document cannot stall the others: each has a time limit
 * and a memory limit, and ends alone. One thread is kept warm; more are started under load and end after it.
 */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import type { DeriveOptions } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import type { PreflightQuestion } from './preflight-question.ts';
import type { DocumentAnswer, DocumentQuestion, DocumentTask } from './worker.ts';

const DEFAULT_TIME_LIMIT_MS = 5_000;
/** An ordinary article of 1 MiB takes about 300 MB. */
const MAX_HEAP_MB = 512;
const IDLE_TIMEOUT_MS = 20_000;

export interface DocumentPoolOptions {
  /** For one document, from the moment a thread takes it up; 5,000 where it is not given. */
  timeLimitMs?: number;
  /** At least two by default, so that a slow document leaves a thread to the others. */
  maxThreads?: number;
}

/** Every call may end in `TooComplexError`: time or memory spent, or a limit exceeded. */
export interface DocumentPool {
  read(input: DocumentInput): Promise<ReadResult>;
  derive(draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle>;
  /**
   * In one round trip and with one parsing; `derived` is null where the document is refused. With a question, `preflights` says what its
   * platforms would lose or refuse, except of a draft or an article without a body, which is not delivered.
   */
  readAndDerive(
    input: DocumentInput,
    options: DeriveOptions,
    question?: PreflightQuestion,
  ): Promise<{ read: ReadResult; derived: DerivedArticle | null; preflights: Preflight[] | undefined }>;
  close(): Promise<void>;
}

export function createDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const maxThreads = Math.max(1, options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism())));
  const threads = new Piscina<DocumentTask, DocumentAnswer>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const whenThreadIsFree = pLimit(maxThreads);

  const run = (task: DocumentQuestion): Promise<DocumentAnswer> =>
    whenThreadIsFree(async () => {
      const begun = new Int32Array(new SharedArrayBuffer(4));
      const limit = new AbortController();
      const clock = startClock(begun, timeLimitMs, limit);
      try {
        return await threads.run({ ...task, begun }, { signal: limit.signal });
      } catch (error) {
        if (limit.signal.aborted)
          throw new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
        if (isOutOfMemory(error)) throw new TooComplexError('The document takes too much memory to render.');
        throw error;
      } finally {
        clock.stop();
      }
    });

  return {
    async read(input) {
      return getRead(await run({ kind: 'read', input }));
    },
    async derive(draft, deriveOptions) {
      const derived = getDerived(await run({ kind: 'derive', draft, options: deriveOptions }));
      if (derived === null) throw new Error('The worker answered without an article.');
      return derived;
    },
    async readAndDerive(input, deriveOptions, question) {
      const answer = await run({ kind: 'readAndDerive', input, options: deriveOptions, question });
      return { read: getRead(answer), derived: getDerived(answer), preflights: answer.preflights };
    },
    close: () => threads.close({ force: true }),
  };
}

/**
 * The limit runs from the moment the thread takes the document up (`begun`). A document pays neither for the slow one before it nor for a
 * thread that has yet to load the parser, which a busy machine takes seconds for.
 */
function startClock(begun: Int32Array<SharedArrayBuffer>, timeLimitMs: number, limit: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const start = () => {
    if (!stopped) timer = setTimeout(() => limit.abort(), timeLimitMs);
  };
  const { async, value } = Atomics.waitAsync(begun, 0, 0);
  if (async) void value.then(start);
  else start();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      // Ends the wait of a document that no thread has taken up.
      Atomics.notify(begun, 0);
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function getRead(answer: DocumentAnswer): ReadResult {
  throwIfTooComplex(answer);
  if (answer.read === undefined) throw new Error('The worker answered without what was read.');
  const excess = answer.read.ok ? undefined : answer.read.problems.find(({ code }) => code === 'too_complex');
  if (excess !== undefined) throw new TooComplexError(excess.message, excess.line);
  return answer.read;
}

function getDerived(answer: DocumentAnswer): DerivedArticle | null {
  throwIfTooComplex(answer);
  return answer.derived ?? null;
}

function throwIfTooComplex({ tooComplex }: DocumentAnswer): void {
  if (tooComplex !== undefined) throw new TooComplexError(tooComplex.message, tooComplex.line);
}
