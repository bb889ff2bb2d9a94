/**
 * Reads and renders documents in worker threads, so that one document cannot block the process.
 * Previews have a low-priority thread of their own. Work for readers always leaves one thread free
 * for publishes.
 */
import { availableParallelism } from 'node:os';
import type { DeriveOptions } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import type { StoredDraft } from '../../article/export/stored-draft.ts';
import { writeDocument } from '../../article/export/write-document.ts';
import type { ChosenDocument } from '../../article/overrides/apply-choices.ts';
import type { RenderedComment } from '../../article/render/render-comment.ts';
import type { SearchSource, SearchText } from '../../article/search/search-text.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult, RenderedArticle } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { createFairQueue, type QueueLoad, WaitedTooLongError } from '../../threads/fair-queue.ts';
import { createThreadPool, ThreadLimitError } from '../../threads/pool.ts';
import type { ChoiceOutcome, ChoiceTask, DeskTask, PreviewOutcome, PreviewTask, RestoreOutcome } from './desk-tasks.ts';
import type { PreflightQuestion } from './preflight-question.ts';
import type {
  CommentOutcome,
  CommentTask,
  DeriveOutcome,
  DeriveTask,
  MarkdownOutcome,
  MarkdownTask,
  PublishOutcome,
  PublishTask,
  TooComplex,
  WordsOutcome,
  WordsTask,
} from './worker.ts';

const DEFAULT_TIME_LIMIT_MS = 5_000;
/** A thread may get little of a busy machine. With the waits before it, it is less than the claim of an idempotency key lasts. */
const WALL_LIMIT_MS = 15_000;
/** Less than any client waits for its answer. */
const DEFAULT_LONGEST_WAIT_MS = 8_000;
const LOWEST_PRIORITY = 19;
/** A preview cannot be interrupted, so it runs at a lower CPU priority than publishes. */
const PREVIEW_PRIORITY = 10;

export interface DocumentPoolOptions {
  /** Of processor time, for one document, from the moment a thread takes it up; 5,000 where it is not given. */
  timeLimitMs?: number;
  /** For a place among the threads; 8,000 where it is not given. */
  longestWaitMs?: number;
  /**
   * Threads for publishes and readers, besides one for previews. At least two by default, so that a
   * slow document leaves one free.
   */
  maxThreads?: number;
  /** At the lowest priority, and without a thread that is kept: for what nobody waits for. */
  inBackground?: boolean;
}

/** Too many documents are waiting, or too many of this author, or the machine is busy: nothing was done, and a later try may find a place. */
export class DocumentsBusyError extends Error {
  override name = 'DocumentsBusyError';
}

export interface ReadDocument {
  read: ReadResult;
  /** Null where the document is refused. */
  rendered: RenderedArticle | null;
  /** Where they were asked for, of an article that will be delivered: what its platforms would lose or refuse. */
  preflights: Preflight[] | undefined;
}

/**
 * An author has one thread at a time for publishes, one for readers and one for previews. Authors
 * share the threads fairly. All methods throw `TooComplexError` (time, memory or a limit exceeded)
 * or `DocumentsBusyError`.
 */
export interface DocumentPool {
  /** What the answer to a publish needs, in one round trip and with one parsing. */
  readAndRender(
    authorId: string,
    document: { input: DocumentInput; options: DeriveOptions; question?: PreflightQuestion | undefined },
  ): Promise<ReadDocument>;
  /** What readers are shown. */
  derive(owner: string, draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle>;
  /** The words by which an article is found. */
  listWords(owner: string, source: SearchSource): Promise<SearchText>;
  /** Throws as `readAndRender`. */
  renderComment(writerId: string, comment: string, siteOrigin: string): Promise<RenderedComment>;
  /** The body of an article as agents are sent it. Throws as `readAndRender`. */
  writeMarkdown(owner: string, article: MarkdownTask): Promise<string>;
  /** The document as it is published with what was chosen beside it. Throws as `readAndRender`. */
  applyChoices(authorId: string, choice: Omit<ChoiceTask, 'desk'>): Promise<ChosenDocument>;
  /** What readers would see, and what destinations would lose. Throws as `readAndRender`. */
  preview(authorId: string, document: Omit<PreviewTask, 'desk'>): Promise<PreviewOutcome>;
  /** The document of a stored article, to be edited. */
  restoreDocument(authorId: string, article: StoredDraft, now: Date): Promise<string>;
  /** How many documents are in threads, and how many wait for one. */
  load(): QueueLoad;
  /** Finishes what has begun, but what is done in the background. */
  close(): Promise<void>;
}

export function createDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const inBackground = options.inBackground === true;
  const longestWaitMs = options.longestWaitMs ?? DEFAULT_LONGEST_WAIT_MS;
  const maxThreads = options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism()));
  const limits = {
    filename: new URL('./worker.ts', import.meta.url).href,
    timeLimitMs,
    wallLimitMs: WALL_LIMIT_MS,
    longestWaitMs,
  };
  const threads = createThreadPool<Task, Outcome>({
    ...limits,
    minThreads: inBackground ? 0 : 1,
    maxThreads,
    niceness: inBackground ? LOWEST_PRIORITY : 0,
  });
  const previewThreads = createThreadPool<Task, Outcome>({
    ...limits,
    minThreads: 0,
    maxThreads: 1,
    niceness: PREVIEW_PRIORITY,
  });
  const readerQueue = createFairQueue({ slots: Math.max(1, maxThreads - 1), longestWaitMs });
  const finish = async <T extends Outcome>(answer: Promise<Outcome>): Promise<T> => {
    const outcome = await answer.catch((error: unknown) => {
      throw explainLimit(error, timeLimitMs);
    });
    if ('tooComplex' in outcome) throw new TooComplexError(outcome.tooComplex.message, outcome.tooComplex.line);
    return outcome as T;
  };
  const runForPublish = <T extends Outcome>(authorId: string, task: Task) => finish<T>(threads.run(authorId, task));
  // Not queued behind the owner's publishes: while waiting, the task would occupy a slot of
  // `readerQueue`.
  const runForReaders = <T extends Outcome>(owner: string, task: Task) =>
    finish<T>(readerQueue.run(owner, () => threads.run(`reader ${owner}`, task)));
  const runPreview = <T extends Outcome>(authorId: string, task: Task) => finish<T>(previewThreads.run(authorId, task));
  return {
    async readAndRender(authorId, { input, options, question }) {
      const task = { input, options, question };
      const { read, rendered, preflights } = await runForPublish<PublishOutcome>(authorId, task);
      const excess = read.ok ? undefined : read.problems.find(({ code }) => code === 'too_complex');
      if (excess !== undefined) throw new TooComplexError(excess.message, excess.line);
      return { read, rendered, preflights };
    },
    derive: async (owner, draft, options) => (await runForReaders<DeriveOutcome>(owner, { draft, options })).derived,
    listWords: async (owner, searchSource) => (await runForReaders<WordsOutcome>(owner, { searchSource })).searchText,
    renderComment: async (writerId, comment, siteOrigin) =>
      (await runForReaders<CommentOutcome>(writerId, { comment, siteOrigin })).comment,
    writeMarkdown: async (owner, article) => (await runForReaders<MarkdownOutcome>(owner, article)).markdown,
    applyChoices: async (authorId, choice) =>
      (await runForPublish<ChoiceOutcome>(authorId, { desk: 'choose', ...choice })).chosen,
    preview: (authorId, document) => runPreview<PreviewOutcome>(authorId, { desk: 'preview', ...document }),
    async restoreDocument(authorId, article, now) {
      try {
        return (await runPreview<RestoreOutcome>(authorId, { desk: 'restore', article, now })).document;
      } catch (error) {
        // What was taken once and is beyond a limit now is edited all the same, as it is stored.
        if (error instanceof TooComplexError) return writeDocument(article);
        throw error;
      }
    },
    load() {
      const [documents, previews] = [threads.load(), previewThreads.load()];
      return {
        running: documents.running + previews.running,
        waiting: documents.waiting + previews.waiting + readerQueue.load().waiting,
      };
    },
    async close() {
      await Promise.all([inBackground ? threads.destroy() : threads.close(), previewThreads.close()]);
    },
  };
}

type Task = PublishTask | DeriveTask | WordsTask | CommentTask | MarkdownTask | DeskTask;
type Outcome =
  | PublishOutcome
  | DeriveOutcome
  | WordsOutcome
  | CommentOutcome
  | MarkdownOutcome
  | ChoiceOutcome
  | PreviewOutcome
  | RestoreOutcome
  | TooComplex;

function explainLimit(error: unknown, timeLimitMs: number): unknown {
  const limit = error instanceof WaitedTooLongError ? 'wait' : error instanceof ThreadLimitError ? error.limit : null;
  if (limit === null) return error;
  if (limit === 'wait') return new DocumentsBusyError('no thread, or too little of a processor, was free in time');
  if (limit === 'memory') return new TooComplexError('The document takes too much memory to render.');
  return new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
}
