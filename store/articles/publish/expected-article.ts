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

/** `expected` is null if the author was shown a new article, undefined without expectation. */
export function requireExpected(expected: ExpectedArticle | null | undefined, existing: CandidateRow | null): void {
  if (expected === undefined) return;
  if (existing === null) {
    if (expected !== null) refuse('This document no longer matches the same article. It would create a new one.');
  } else if (expected?.id !== existing.id) {
    refuse(`This document matches an existing article of yours and would change it: /${existing.slug}.`);
  } else if (expected.fingerprint !== existing.fingerprint.toString('hex')) {
    refuse(
      `The article at /${existing.slug} was changed elsewhere after you opened it here; publishing would replace that change.`,
    );
  }
}

function refuse(reason: string): never {
  throw new RefusedCommandError('NOT_AS_EXPECTED', `${reason} Nothing was changed. To publish anyway, send it again.`);
}
