/**
 * Reading and rendering in worker threads, so that one author's document cannot stall the others: each has a time limit
 * and a memory limit, and ends alone. One worker is kept warm; more come with the load and go after it.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { DeriveOptions } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { createTurns } from '../../article/turns.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult } from '../../article/types.ts';
import type { DocumentTask, ExtendedAnswer, TaskAnswer } from './pool-worker.ts';

const DEFAULT_TIME_LIMIT_MS = 5_000;
/** An ordinary article of 1 MiB takes about 300 MB. */
const MAX_HEAP_MB = 512;
const IDLE_TIMEOUT_MS = 20_000;

export interface DocumentPoolOptions {
  /** For one document, once its turn has come; 5,000 where it is not given. */
  timeLimitMs?: number;
  /** At least two by default, so that a slow document leaves a worker to the others. */
  maxThreads?: number;
  /**
   * A worker of another room in the place of `pool-worker.ts`, which it calls and whose answer it may complete: what it adds
   * happens in the same turn and under the same limits.
   */
  worker?: URL;
}

/**
 * Every call may end in `TooComplexError`: time or memory spent, or a bound passed. `Question` and `Extra` belong to the worker, where it
 * is one of another room.
 */
export interface DocumentPool<Question = undefined, Extra = undefined> {
  read(input: DocumentInput): Promise<ReadResult>;
  derive(draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle>;
  /** In one round trip and with one parsing; `derived` is null where the document is refused. */
  readAndDerive(
    input: DocumentInput,
    options: DeriveOptions,
    question?: Question,
  ): Promise<{ read: ReadResult; derived: DerivedArticle | null; extra: Extra | undefined }>;
  close(): Promise<void>;
}

export function createDocumentPool<Question = undefined, Extra = undefined>(
  options: DocumentPoolOptions = {},
): DocumentPool<Question, Extra> {
  const timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const maxThreads = Math.max(1, options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism())));
  const workers = new Piscina<DocumentTask<Question>, ExtendedAnswer<Extra>>({
    filename: (options.worker ?? new URL('./pool-worker.ts', import.meta.url)).href,
    minThreads: 1,
    maxThreads,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const turns = createTurns(maxThreads);

  const run = (task: DocumentTask<Question>): Promise<ExtendedAnswer<Extra>> =>
    turns(async () => {
      // The limit begins with the task's turn: who waits behind a slow document must not pay for it.
      const limit = AbortSignal.timeout(timeLimitMs);
      try {
        return await workers.run(task, { signal: limit });
      } catch (error) {
        if (limit.aborted)
          throw new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
        if (isOutOfMemory(error)) throw new TooComplexError('The document takes too much memory to render.');
        throw error;
      }
    });

  return {
    async read(input) {
      return readOf(await run({ kind: 'read', input }));
    },
    async derive(draft, deriveOptions) {
      return derivedOf(await run({ kind: 'derive', draft, options: deriveOptions })) ?? neverDerived();
    },
    async readAndDerive(input, deriveOptions, question) {
      const answer = await run({ kind: 'readAndDerive', input, options: deriveOptions, question });
      return { read: readOf(answer), derived: derivedOf(answer), extra: answer.extra };
    },
    close: () => workers.close({ force: true }),
  };
}

function readOf(answer: TaskAnswer): ReadResult {
  throwIfTooComplex(answer);
  if (answer.read === undefined) throw new Error('The worker answered without what was read.');
  const excess = answer.read.ok ? undefined : answer.read.problems.find(({ code }) => code === 'too_complex');
  if (excess !== undefined) throw new TooComplexError(excess.message, excess.line);
  return answer.read;
}

function derivedOf(answer: TaskAnswer): DerivedArticle | null {
  throwIfTooComplex(answer);
  return answer.derived ?? null;
}

/** Errors lose their class between threads. */
function throwIfTooComplex(answer: TaskAnswer): void {
  if (answer.tooComplex !== undefined) throw new TooComplexError(answer.tooComplex.message, answer.tooComplex.line);
}

function neverDerived(): never {
  throw new Error('The worker answered without an article.');
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
