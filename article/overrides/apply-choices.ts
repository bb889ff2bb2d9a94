/**
 * What an author chooses beside a document (its state, where it goes, which article it is), written into its frontmatter where that says
 * otherwise. What is stored then says everything, and a publish of it from anywhere else does the same.
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
  /** Null: as the document says. */
  status: ArticleStatus | null;
  /** With SCHEDULED: as `scheduled_at` takes it. Null: as the document says. */
  scheduledAt: string | null;
  crossPost: Partial<Record<DestinationKey, boolean>>;
  /** Of the article that the document belongs to, where it does not say itself. */
  courantId: string | null;
}

export type ChosenDocument =
  /** `doubts`: what speaks against making it public. Lines are those of the document as its author wrote it. */
  { ok: true; content: string; status: ArticleStatus; doubts: Notice[] } | { ok: false; problems: Problem[] };

const DOUBTFUL = 'state_doubtful';

/** Takes time in proportion to the document, except for hostile ones. */
export function applyChoices(input: DocumentInput, choices: Choices): ChosenDocument {
  const read = readDocument(input);
  if (!read.ok) return { ok: false, problems: read.problems };
  const doubts = read.warnings.filter(({ code }) => code === DOUBTFUL);
  const overrides = listOverrides(read.draft, choices, doubts);
  const isUnchanged = Object.keys(overrides).length === 0;
  const content = isUnchanged ? input.content : applyOverrides(input.content, overrides);
  const again = isUnchanged ? read : readDocument({ ...input, content });
  // The author's own text was read without fault, so this is about what was chosen, and its lines are not the author's.
  if (!again.ok) return { ok: false, problems: again.problems.map(({ path, message }) => ({ path, message })) };
  const problem = findUnmet(again.draft, choices);
  if (problem) return { ok: false, problems: [problem] };
  return { ok: true, content, status: again.draft.status, doubts };
}

function listOverrides(draft: ArticleDraft, choices: Choices, doubts: readonly Notice[]): Overrides {
  const { status, scheduledAt, courantId } = choices;
  const overrides: Overrides = {};
  // Who says that a doubtful one is to be public is not asked again.
  const isDoubted = status !== null && status !== 'DRAFT' && doubts.length > 0;
  if (status !== null && (status !== draft.status || scheduledAt !== null || isDoubted)) overrides.status = status;
  if (status === 'SCHEDULED' && scheduledAt !== null) overrides.scheduledAt = scheduledAt;
  if (courantId !== null && draft.externalId === null) overrides.courantId = courantId;
  const differing = DESTINATION_KEYS.filter((key) => isOtherwise(choices.crossPost[key], draft.crossPost[key]));
  if (differing.length > 0) {
    overrides.crossPost = Object.fromEntries(differing.map((key) => [key, choices.crossPost[key]]));
  }
  return overrides;
}

/** Never public by accident: what cannot be written into a frontmatter is not done. */
function findUnmet(draft: ArticleDraft, { status, crossPost }: Choices): Problem | null {
  if (status === 'SCHEDULED' && draft.status !== 'SCHEDULED') {
    return { path: 'scheduled_at', message: 'This time has passed. Choose one in the future, or publish now.' };
  }
  if (status !== null && draft.status !== status) {
    return { path: 'status', message: `status: ${status} cannot be written into this frontmatter; write it there.` };
  }
  const unmet = DESTINATION_KEYS.find((key) => isOtherwise(crossPost[key], draft.crossPost[key]));
  if (unmet === undefined) return null;
  const message = `cross_post.${unmet} cannot be written into this frontmatter; write it there.`;
  return { path: `cross_post.${unmet}`, message };
}

function isOtherwise(chosen: boolean | undefined, said: boolean): boolean {
  return chosen !== undefined && chosen !== said;
}
