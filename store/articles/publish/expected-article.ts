/**
 * The article that an author was told their publish updates. What happens is what they were told, or nothing: an article that another window, or
 * the command line, has changed meanwhile is not written over.
 */
import { RefusedCommandError } from '../../commands/refused-command.ts';
import type { CandidateRow } from './find-existing.ts';

export interface ExpectedArticle {
  id: string;
  /** In hexadecimal: its state when the author saw it. */
  fingerprint: string;
}

/** `expected` is null where the author was told that the article is new; undefined where nobody was told anything. */
export function requireExpected(expected: ExpectedArticle | null | undefined, existing: CandidateRow | null): void {
  if (expected === undefined) return;
  if (existing === null) {
    if (expected !== null)
      refuse('This text is no longer the article that it was. It would be published as a new one.');
  } else if (expected?.id !== existing.id) {
    refuse(`This text means an article that you have already: it would be changed, at /${existing.slug}.`);
  } else if (expected.fingerprint !== existing.fingerprint.toString('hex')) {
    refuse(
      `The article at /${existing.slug} was changed elsewhere since you opened it here; this text would replace that.`,
    );
  }
}

function refuse(reason: string): never {
  throw new RefusedCommandError(
    'NOT_AS_EXPECTED',
    `${reason} Nothing was done yet: if that is what you want, send it again.`,
  );
}
