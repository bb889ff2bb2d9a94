/**
 * Worker thread of the document pool; runs one task at a time. Bodies have up to 1 MiB, and even
 * short comments can be slow to render, so this work must not run on the event loop.
 */
import { type DeriveOptions, deriveArticle, previewArticle, renderArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { restoreDocument } from '../../article/export/restore-document.ts';
import { applyChoices, type Choices } from '../../article/overrides/apply-choices.ts';
import { readDocument } from '../../article/read-document.ts';
import { renderComment } from '../../article/render/render-comment.ts';
import { writeMarkdown } from '../../article/render/write-markdown.ts';
import { buildSearchText } from '../../article/search/search-text.ts';
import type { DocumentInput, ReadResult, RenderedArticle } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import type { InThread } from '../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../runtime/threads/task-clock.ts';
import { type PreflightRequest, preflightDraft } from './preflight.ts';

/** Longer texts are previewed without highlighting, so that the preview keeps up with typing. */
const MAX_HIGHLIGHTED_CHARACTERS = 100_000;

export interface DocumentTask {
  input: DocumentInput;
  options: DeriveOptions;
  preflightRequest?: PreflightRequest | undefined;
}

export interface PreviewTask extends DocumentTask {
  /** The author's choices, which override those of the document. */
  crossPost: Choices['crossPost'];
}

/** `preflights`: what platforms would lose or reject, if requested. */
export type ReadDocument =
  | Extract<ReadResult, { ok: false }>
  | (Extract<ReadResult, { ok: true }> & { rendered: RenderedArticle; preflights: Preflight[] });

const TASKS = {
  ...{ readAndRender, preview, restoreDocument, applyChoices, renderComment },
  ...{ derive: deriveArticle, listWords: buildSearchText, writeMarkdown },
};
export type Tasks = typeof TASKS;

export interface Task {
  name: keyof Tasks;
  args: unknown[];
}

/** `tooComplex` is returned as data, because errors lose their class between threads. */
export type Outcome = { value: unknown } | { tooComplex: { message: string; line: number | undefined } };

export default async function runTask({ begun, name, args }: InThread<Task>): Promise<Outcome> {
  markTaskStarted(begun);
  try {
    return { value: await (TASKS[name] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    if (error instanceof TooComplexError) return { tooComplex: { message: error.message, line: error.line } };
    throw error;
  }
}

/** Does all work of a publish, parsing the document once. A draft is not delivered. */
function readAndRender({ input, options, preflightRequest }: DocumentTask): ReadDocument {
  const begin = performance.now();
  const read = readDocument(input);
  const problem = read.ok ? undefined : read.problems.find(({ code }) => code === 'too_complex');
  if (problem) throw new TooComplexError(problem.message, problem.line);
  if (!read.ok) return read;
  const rendered = renderArticle(read.draft, options);
  const request = read.draft.status === 'DRAFT' ? undefined : preflightRequest;
  return { ...read, rendered, preflights: preflightDraft({ ...read, rendered, begin }, request) };
}

/** Renders a text as readers would see it. A draft is checked as if it were published. */
async function preview({ input, options, crossPost, preflightRequest }: PreviewTask): Promise<ReadDocument> {
  const begin = performance.now();
  const read = readDocument(input);
  if (!read.ok) return read;
  const highlight = read.draft.body.length <= MAX_HIGHLIGHTED_CHARACTERS;
  const rendered = await previewArticle(read.draft, { ...options, highlight });
  const draft = { ...read.draft, crossPost: { ...read.draft.crossPost, ...crossPost } };
  return { ...read, rendered, preflights: preflightDraft({ ...read, draft, rendered, begin }, preflightRequest) };
}
