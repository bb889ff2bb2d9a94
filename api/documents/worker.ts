/**
 * Worker thread of the document pool; runs one task at a time. Bodies have up to 1 MiB, and even
 * short comments can be slow to render, so this work must not run on the event loop.
 */
import { type DeriveOptions, deriveArticle, renderArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { readDocument } from '../../article/read-document.ts';
import { type RenderedComment, renderComment } from '../../article/render/render-comment.ts';
import { writeMarkdown } from '../../article/render/write-markdown.ts';
import { buildSearchText, type SearchSource, type SearchText } from '../../article/search/search-text.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult, RenderedArticle } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import type { InThread } from '../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../runtime/threads/task-clock.ts';
import { type DeskOutcome, type DeskTask, runDeskTask } from './desk-tasks.ts';
import { preflightDraft } from './preflight-draft.ts';
import type { PreflightRequest } from './preflight-request.ts';

export interface PublishTask {
  input: DocumentInput;
  options: DeriveOptions;
  preflightRequest: PreflightRequest | undefined;
}

export interface DeriveTask {
  draft: ArticleDraft;
  options: DeriveOptions;
}

export interface WordsTask {
  searchSource: SearchSource;
}

export interface CommentTask {
  /** Markdown. */
  comment: string;
  siteOrigin: string;
}

export interface MarkdownTask {
  /** The stored body. */
  body: string;
  title: string;
  siteOrigin: string;
}

export interface PublishOutcome {
  read: ReadResult;
  /** Null if the document is rejected. */
  rendered: RenderedArticle | null;
  /** Only if the task has a `preflightRequest` and the article will be delivered. */
  preflights?: Preflight[];
}

export interface DeriveOutcome {
  derived: DerivedArticle;
}

export interface WordsOutcome {
  searchText: SearchText;
}

export interface CommentOutcome {
  comment: RenderedComment;
}

export interface MarkdownOutcome {
  markdown: string;
}

/** Returned as data, because errors lose their class between threads. */
export interface TooComplex {
  tooComplex: { message: string; line: number | undefined };
}

export default async function runTask(
  task: InThread<PublishTask | DeriveTask | WordsTask | CommentTask | MarkdownTask | DeskTask>,
): Promise<
  PublishOutcome | DeriveOutcome | WordsOutcome | CommentOutcome | MarkdownOutcome | DeskOutcome | TooComplex
> {
  markTaskStarted(task.begun);
  try {
    if ('desk' in task) return await runDeskTask(task);
    if ('searchSource' in task) return { searchText: buildSearchText(task.searchSource) };
    if ('comment' in task) return { comment: renderComment(task.comment, task.siteOrigin) };
    if ('body' in task) return { markdown: writeMarkdown(task.body, task) };
    return 'draft' in task ? { derived: await deriveArticle(task.draft, task.options) } : readForPublish(task);
  } catch (error) {
    if (error instanceof TooComplexError) return { tooComplex: { message: error.message, line: error.line } };
    throw error;
  }
}

function readForPublish({ input, options, preflightRequest }: PublishTask): PublishOutcome {
  const begin = performance.now();
  const read = readDocument(input);
  if (!read.ok) return { read, rendered: null };
  const { draft, bodyLine } = read;
  const rendered = renderArticle(draft, options);
  if (!preflightRequest || draft.status === 'DRAFT' || draft.body.trim() === '') return { read, rendered };
  return { read, rendered, preflights: preflightDraft({ draft, rendered, bodyLine, begin }, preflightRequest) };
}
