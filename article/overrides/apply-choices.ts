/**
 * Writes choices made beside a document (state, destinations, article) into its frontmatter, so
 * that publishing it from anywhere has the same result.
 */
import { readDocument } from '../read-document.ts';
import {
  type ArticleDraft,
  type ArticleStatus,
  DESTINATION_KEYS,
  type DestinationKey,
  type DocumentInput,
  type Notice,
  type Problem,
} from '../types.ts';
import { applyOverrides, type Overrides } from './apply-overrides.ts';

export interface Choices {
  status: ArticleStatus | null;
  /** With SCHEDULED, in the form of `scheduled_at`. Null: as in the document. */
  scheduledAt: string | null;
  crossPost: Partial<Record<DestinationKey, boolean>>;
  /** The id of the document's article. Used if the document has no id. */
  courantId: string | null;
}

export type ChosenDocument =
  /** `doubts` are reasons against publishing it, with lines as its author wrote it. */
  { ok: true; content: string; draft: ArticleDraft; doubts: Notice[] } | { ok: false; problems: Problem[] };

const DOUBTFUL = 'state_doubtful';

export function applyChoices(input: DocumentInput, choices: Choices): ChosenDocument {
  const read = readDocument(input);
  if (!read.ok) return { ok: false, problems: read.problems };
  const doubts = read.warnings.filter(({ code }) => code === DOUBTFUL);
  const overrides = listOverrides(read.draft, choices, doubts);
  const isUnchanged = Object.keys(overrides).length === 0;
  const content = isUnchanged ? input.content : applyOverrides(input.content, overrides);
  const rewritten = isUnchanged ? read : readDocument({ ...input, content });
  // The author's text was valid, so these problems concern the choices, and their lines are not the
  // author's.
  if (!rewritten.ok) return { ok: false, problems: rewritten.problems.map(({ path, message }) => ({ path, message })) };
  const problem = findUnapplied(rewritten.draft, choices);
  if (problem) return { ok: false, problems: [problem] };
  return { ok: true, content, draft: rewritten.draft, doubts };
}

function listOverrides(draft: ArticleDraft, choices: Choices, doubts: readonly Notice[]): Overrides {
  const { status, scheduledAt, courantId } = choices;
  const overrides: Overrides = {};
  // Writing the chosen status settles the doubts, so that they are not reported again.
  const hasDoubts = status !== null && status !== 'DRAFT' && doubts.length > 0;
  if (status !== null && (status !== draft.status || scheduledAt !== null || hasDoubts)) overrides.status = status;
  if (status === 'SCHEDULED' && scheduledAt !== null) overrides.scheduledAt = scheduledAt;
  if (courantId !== null && draft.externalId === null) overrides.courantId = courantId;
  const differing = DESTINATION_KEYS.filter((key) => differs(choices.crossPost[key], draft.crossPost[key]));
  if (differing.length > 0) {
    overrides.crossPost = Object.fromEntries(differing.map((key) => [key, choices.crossPost[key]]));
  }
  return overrides;
}

/** Reports a choice that could not be written: nothing may become public by accident. */
function findUnapplied(draft: ArticleDraft, { status, crossPost }: Choices): Problem | null {
  if (status === 'SCHEDULED' && draft.status !== 'SCHEDULED') {
    return { path: 'scheduled_at', message: 'This time has passed. Choose one in the future, or publish now.' };
  }
  if (status !== null && draft.status !== status) {
    return {
      path: 'status',
      message: `status: ${status} cannot be added to this frontmatter automatically. Add it there yourself.`,
    };
  }
  const unapplied = DESTINATION_KEYS.find((key) => differs(crossPost[key], draft.crossPost[key]));
  if (unapplied === undefined) return null;
  const message = `cross_post.${unapplied} cannot be added to this frontmatter automatically. Add it there yourself.`;
  return { path: `cross_post.${unapplied}`, message };
}

function differs(chosen: boolean | undefined, current: boolean): boolean {
  return chosen !== undefined && chosen !== current;
}
