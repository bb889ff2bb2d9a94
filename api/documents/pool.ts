/**
 * Reads and renders documents in worker threads, so that one document cannot block the process.
 * Previews have a low-priority thread. Work for readers always leaves one thread for publishes.
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
import { createFairQueue, type QueueLoad, WaitedTooLongError } from '../../runtime/threads/fair-queue.ts';
import { createThreadPool, ThreadLimitError } from '../../runtime/threads/pool.ts';
import type { ChoiceOutcome, ChoiceTask, DeskTask, PreviewOutcome, PreviewTask, RestoreOutcome } from './desk-tasks.ts';
import type { PreflightRequest } from './preflight-request.ts';
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

/** The machine is busy, or too many documents wait, in total or of this author. Retryable. */
export class DocumentsBusyError extends Error {
  override name = 'DocumentsBusyError';
}

export interface ReadDocument {
  read: ReadResult;
  /** Null if the document is rejected. */
  rendered: RenderedArticle | null;
  /** What platforms would lose or reject. Only if requested, for an article to be delivered. */
  preflights: Preflight[] | undefined;
}

/**
 * An author has one thread at a time for publishes, one for readers and one for previews. Authors
 * share the threads fairly. All methods throw `TooComplexError` (time, memory or a limit exceeded)
 * or `DocumentsBusyError`.
 */
export interface DocumentPool {
  /** Does all work of a publish in one round trip, parsing the document once. */
  readAndRender(
    authorId: string,
    document: { input: DocumentInput; options: DeriveOptions; preflightRequest?: PreflightRequest | undefined },
  ): Promise<ReadDocument>;
  /** Derives the data that pages show of an article. */
  derive(owner: string, draft: ArticleDraft, options: DeriveOptions): Promise<DerivedArticle>;
  /** Lists the words of an article for the search index. */
  listWords(owner: string, source: SearchSource): Promise<SearchText>;
  renderComment(writerId: string, comment: string, siteOrigin: string): Promise<RenderedComment>;
  /** Writes the body of a Markdown alternate. */
  writeMarkdown(owner: string, article: MarkdownTask): Promise<string>;
  /** Writes an author's choices into a document. */
  applyChoices(authorId: string, choice: Omit<ChoiceTask, 'desk'>): Promise<ChosenDocument>;
  /** Renders a text as readers would see it, and lists what destinations would lose. */
  preview(authorId: string, document: Omit<PreviewTask, 'desk'>): Promise<PreviewOutcome>;
  /** Rebuilds the document of a stored article for editing. */
  restoreDocument(authorId: string, article: StoredDraft, now: Date): Promise<string>;
  /** Counts running and waiting documents. */
  load(): QueueLoad;
  /** Finishes running work. Work of a background pool is aborted. */
  close(): Promise<void>;
}

export function createDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const inBackground = options.inBackground === true;
  const maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
  const maxThreads = options.maxThreads ?? Math.min(4, Math.max(2, availableParallelism()));
  const limits = {
    filename: new URL('./worker.ts', import.meta.url).href,
    timeLimitMs,
    wallLimitMs: WALL_LIMIT_MS,
    maxWaitMs,
  };
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
  const finish = async <T extends Outcome>(running: Promise<Outcome>): Promise<T> => {
    const outcome = await running.catch((error: unknown) => {
      throw explainLimit(error, timeLimitMs);
    });
    if ('tooComplex' in outcome) throw new TooComplexError(outcome.tooComplex.message, outcome.tooComplex.line);
    return outcome as T;
  };
  const runForPublish = <T extends Outcome>(authorId: string, task: Task) => finish<T>(threads.run(authorId, task));
  // Not queued behind the owner's publishes: a waiting task would occupy a slot of `readerQueue`.
  const runForReaders = <T extends Outcome>(owner: string, task: Task) =>
    finish<T>(readerQueue.run(owner, () => threads.run(`reader ${owner}`, task)));
  const runPreview = <T extends Outcome>(authorId: string, task: Task) => finish<T>(previewThreads.run(authorId, task));
  return {
    async readAndRender(authorId, { input, options, preflightRequest }) {
      const task = { input, options, preflightRequest };
      const { read, rendered, preflights } = await runForPublish<PublishOutcome>(authorId, task);
      const problem = read.ok ? undefined : read.problems.find(({ code }) => code === 'too_complex');
      if (problem !== undefined) throw new TooComplexError(problem.message, problem.line);
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
        // An accepted document that exceeds a limit today can still be edited, as it is stored.
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
  if (limit === 'wait') return new DocumentsBusyError('no thread, or not enough processor time, was available in time');
  if (limit === 'memory') return new TooComplexError('The document takes too much memory to render.');
  return new TooComplexError(`The document takes longer than ${timeLimitMs / 1000} s to render.`);
}
