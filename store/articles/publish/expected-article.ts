/**
 * Guards a publish from the desk: it updates exactly the article shown to its author, or fails. An
 * article changed meanwhile in another window or from the command line is not overwritten.
 */
import { RefusedCommandError } from '../../commands/refused-command.ts';
import type { CandidateRow } from './find-existing.ts';

export interface ExpectedArticle {
  id: string;
  /** Hexadecimal; the article's state when the author saw it. */
  fingerprint: string;
}

/**
 * `expected` is null if the author was shown a new article, undefined if there is no expectation.
 */
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
