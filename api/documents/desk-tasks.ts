/** Pool tasks of the desk: preview a text, write choices into it, restore a document. */
import { type DeriveOptions, previewArticle } from '../../article/derive.ts';
import { restoreDocument } from '../../article/export/restore-document.ts';
import type { StoredDraft } from '../../article/export/stored-draft.ts';
import { applyChoices, type Choices, type ChosenDocument } from '../../article/overrides/apply-choices.ts';
import { readDocument } from '../../article/read-document.ts';
import type { DocumentInput, ReadResult, RenderedArticle } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { preflightDraft } from './preflight-draft.ts';
import type { PreflightRequest } from './preflight-request.ts';

export interface ChoiceTask {
  desk: 'choose';
  input: DocumentInput;
  choices: Choices;
}

export interface PreviewTask {
  desk: 'preview';
  input: DocumentInput;
  options: DeriveOptions;
  /** The author's choices, which override those of the document. */
  crossPost: Choices['crossPost'];
  preflightRequest: PreflightRequest | undefined;
}

export interface RestoreTask {
  desk: 'restore';
  article: StoredDraft;
  now: Date;
}

export interface ChoiceOutcome {
  chosen: ChosenDocument;
}

export interface PreviewOutcome {
  read: ReadResult;
  /** Null if the document would be rejected. */
  rendered: RenderedArticle | null;
  preflights: Preflight[];
}

export interface RestoreOutcome {
  document: string;
}

export type DeskTask = ChoiceTask | PreviewTask | RestoreTask;
export type DeskOutcome = ChoiceOutcome | PreviewOutcome | RestoreOutcome;

/** Longer texts are previewed without highlighting, so that the preview keeps up with typing. */
const MAX_HIGHLIGHTED_CHARACTERS = 100_000;

export async function runDeskTask(task: DeskTask): Promise<DeskOutcome> {
  switch (task.desk) {
    case 'choose':
      return { chosen: applyChoices(task.input, task.choices) };
    case 'restore':
      return { document: restoreDocument(task.article, task.now) };
    case 'preview':
      return preview(task);
  }
}

async function preview({ input, options, crossPost, preflightRequest }: PreviewTask): Promise<PreviewOutcome> {
  const begin = performance.now();
  const read = readDocument(input);
  if (!read.ok) return { read, rendered: null, preflights: [] };
  const { bodyLine } = read;
  const draft = { ...read.draft, crossPost: { ...read.draft.crossPost, ...crossPost } };
  const highlight = draft.body.length <= MAX_HIGHLIGHTED_CHARACTERS;
  const rendered = await previewArticle(read.draft, { ...options, highlight });
  if (!preflightRequest || draft.body.trim() === '') return { read, rendered, preflights: [] };
  return { read, rendered, preflights: preflightDraft({ draft, rendered, bodyLine, begin }, preflightRequest) };
}
