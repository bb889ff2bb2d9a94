/**
 * What will happen to an article at its destinations, before anything is sent: what is lost, refused, or can never be
 * changed. Pure, so that the API and the CLI's dry run report the same for the same article.
 */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import type { Limits, Platform } from '../types.ts';
import { findFormat } from './platform-formats.ts';

export interface Preflight {
  platform: Platform;
  label: string;
  /** What the platform will not show as written; at most `MAX_LOSSES`, and then how many more. */
  losses: Notice[];
  /** Set where the delivery would end as failed. */
  refusal: Notice | null;
}

/** More than these would hide all other warnings. */
export const MAX_LOSSES = 20;

export interface PreflightOptions {
  /** The line of the document on which the body begins; null where the body's lines are not lines of the document. */
  bodyLine: number | null;
  /** Asked before each platform; a platform for which there is no time is left out, so that a publish never fails for it. */
  mayFormat?: (platform: Platform) => boolean;
}

/** One entry for each platform that this version delivers to, in the order given. Never throws. */
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

/** How a delivery ends where the format itself throws. */
export function reportFormatFailure(label: string): Notice {
  const message = `The article could not be formatted for ${label}. This is a fault of Courant; please report it.`;
  return { code: 'format_failed', message };
}

/** What an author should know before the first copy is made there: that it cannot be changed, or not be withdrawn. */
export function listLasting(platform: Platform): Notice[] {
  const format = findFormat(platform);
  if (format === null) return [];
  const { label, limits } = format;
  const lasting: Notice[] = [];
  if (!limits.canUpdate)
    lasting.push({ code: 'cannot_update', message: `${label} cannot change a post: later edits do not reach it.` });
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
    // The delivery will end in the same way, and log the error for the operator.
    return { losses: [], refusal: reportFormatFailure(label) };
  }
}

function limitLosses(losses: Notice[], label: string): Notice[] {
  if (losses.length <= MAX_LOSSES) return losses;
  const message = `${label} loses ${losses.length - MAX_LOSSES} more such things.`;
  return [...losses.slice(0, MAX_LOSSES), { code: 'more_losses', message }];
}

/** Formats count lines from the first of the body. */
function locateInDocument({ line, column: _, ...notice }: Notice, bodyLine: number | null): Notice {
  return line === undefined || bodyLine === null ? notice : { ...notice, line: line + bodyLine - 1 };
}

function reportUnchecked(label: string): Notice {
  const message = `The article is too large to check what ${label} makes of it; the delivery will show it.`;
  return { code: 'not_checked', message };
}
