/**
 * What a thread of the document pool does, one document at a time. For a publish it reads and renders, and then formats the article for the
 * author's destinations to see what they would lose or refuse. Formats take time in proportion to a body of up to 1 MiB, so they have no
 * place on the event loop. After the publish it derives what readers are shown and the words by which they find it. Comments, which may be
 * short and yet slow, are rendered here too, and the Markdown that agents read is written. For the desk, texts are previewed, and restored from
 * what is stored.
 */
import { type DeriveOptions, deriveArticle, renderArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { readDocument } from '../../article/read-document.ts';
import { type RenderedComment, renderComment } from '../../article/render/render-comment.ts';
import { writeMarkdown } from '../../article/render/write-markdown.ts';
import { buildSearchText, type SearchSource, type SearchText } from '../../article/search/search-text.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult, RenderedArticle } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { markBegun } from '../../threads/begun.ts';
import { collectGarbage } from '../../threads/collect-garbage.ts';
import type { InThread } from '../../threads/pool.ts';
import { type DeskOutcome, type DeskTask, runDeskTask } from './desk-tasks.ts';
import { preflightDraft } from './preflight-draft.ts';
import type { PreflightQuestion } from './preflight-question.ts';

export interface PublishTask {
  input: DocumentInput;
  options: DeriveOptions;
  question: PreflightQuestion | undefined;
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
  /** As it is stored. */
  body: string;
  title: string;
  siteOrigin: string;
}

export interface PublishOutcome {
  read: ReadResult;
  /** Null where the document is refused. */
  rendered: RenderedArticle | null;
  /** Where the task asked for them, and the article is one that will be delivered. */
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

/** As data: errors lose their class between threads. */
export interface TooComplex {
  tooComplex: { message: string; line: number | undefined };
}

export default async function runTask(
  task: InThread<PublishTask | DeriveTask | WordsTask | CommentTask | MarkdownTask | DeskTask>,
): Promise<
  PublishOutcome | DeriveOutcome | WordsOutcome | CommentOutcome | MarkdownOutcome | DeskOutcome | TooComplex
> {
  markBegun(task.begun);
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

/** A thread that waits for its next task does nothing else: what its last ones left behind, or the loading of its code, would stay. */
export function rest(): Promise<void> {
  return collectGarbage('thorough');
}

function readForPublish({ input, options, question }: PublishTask): PublishOutcome {
  const begin = performance.now();
  const read = readDocument(input);
  if (!read.ok) return { read, rendered: null };
  const { draft, bodyLine } = read;
  const rendered = renderArticle(draft, options);
  if (!question || draft.status === 'DRAFT' || draft.body.trim() === '') return { read, rendered };
  return { read, rendered, preflights: preflightDraft({ draft, rendered, bodyLine, begin }, question) };
}
