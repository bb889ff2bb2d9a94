/**
 * What becomes of an article at its destinations, said before anything is sent: lost, refused, never to be changed. Pure; the API and
 * the dry run of the command line say the same of the same article.
 */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import type { Limits, Platform } from '../types.ts';
import { findFormat } from './formats.ts';

export interface Preflight {
  platform: Platform;
  label: string;
  /** What the platform will not show as written; at most `MAX_LOSSES`, and then how many more. */
  losses: Notice[];
  /** Set where the delivery would end as failed. */
  refusal: Notice | null;
}

/** More than these would hide everything else that is to be said. */
export const MAX_LOSSES = 20;

export interface PreflightOptions {
  /** The line of the document on which the article's body begins; null where the body's lines are not the document's. */
  bodyLine: number | null;
  /** Asked before each platform; one that takes too long is left out. Formatting is the last thing a publish should fail for. */
  mayFormat?: (platform: Platform) => boolean;
}

/** One entry a platform that this version delivers to, in the order given. Never throws. */
export function preflight(
  article: DeliverableArticle,
  platforms: readonly Platform[],
  { bodyLine, mayFormat = () => true }: PreflightOptions,
): Preflight[] {
  return platforms.flatMap((platform) => {
    const format = findFormat(platform);
    if (format === null) return [];
    const { label } = format;
    if (!mayFormat(platform)) return [{ platform, label, losses: [reportUnchecked(label)], refusal: null }];
    const { losses, refusal } = tryFormat(format, article);
    return [
      {
        platform,
        label,
        losses: limitLosses(losses, label).map((loss) => locateInDocument(loss, bodyLine)),
        refusal: refusal && locateInDocument(refusal, bodyLine),
      },
    ];
  });
}

/** How the delivery ends where our own code cannot cope with an article. */
export function reportFormatFailure(label: string): Notice {
  const message = `The article could not be put into the form of ${label}. This is a fault of Courant; please report it.`;
  return { code: 'format_failed', message };
}

/** What its author should know before the first copy is made there: that it cannot be changed, or not be taken back. */
export function listLasting(platform: Platform): Notice[] {
  const format = findFormat(platform);
  if (format === null) return [];
  const { label, limits } = format;
  const lasting: Notice[] = [];
  if (!limits.canUpdate)
    lasting.push({ code: 'cannot_update', message: `${label} cannot change a post: later edits do not get there.` });
  const message = WITHDRAWALS[limits.withdraw]?.(label);
  if (message !== undefined) lasting.push({ code: 'cannot_withdraw', message });
  return lasting;
}

const WITHDRAWALS: Partial<Record<Limits['withdraw'], (label: string) => string>> = {
  none: (label) => `${label} cannot take a post back: only you can remove it there.`,
  delisted: (label) =>
    `${label} only hides a post that is taken back: it stays at its address until you delete it there.`,
};

function tryFormat({ format, label }: NonNullable<ReturnType<typeof findFormat>>, article: DeliverableArticle) {
  try {
    return format(article);
  } catch {
    // The delivery will end in the same way, and report the error where an operator sees it.
    return { losses: [], refusal: reportFormatFailure(label) };
  }
}

function limitLosses(losses: Notice[], label: string): Notice[] {
  if (losses.length <= MAX_LOSSES) return losses;
  const message = `${label} loses ${losses.length - MAX_LOSSES} more things like these.`;
  return [...losses.slice(0, MAX_LOSSES), { code: 'more_losses', message }];
}

/** Formats count lines from the first of the body. */
function locateInDocument({ line, column: _, ...notice }: Notice, bodyLine: number | null): Notice {
  return line === undefined || bodyLine === null ? notice : { ...notice, line: line + bodyLine - 1 };
}

function reportUnchecked(label: string): Notice {
  const message = `The article is so large that it was not checked what ${label} makes of it; the delivery will tell.`;
  return { code: 'not_checked', message };
}
