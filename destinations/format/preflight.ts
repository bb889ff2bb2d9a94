/**
 * Reports an article's losses, refusals and permanent effects at its destinations before anything
 * is sent. Pure, so that the API and the CLI's dry run report the same.
 */
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { findDescriptor } from '../registry.ts';
import type { Limits, Platform, RefusalNotice } from '../types.ts';

export interface Preflight {
  platform: Platform;
  label: string;
  /** What the platform will not show as written: `MAX_LOSSES`, then the number of others. */
  losses: Notice[];
  /** Set if the delivery would fail. */
  refusal: RefusalNotice | null;
}

/** More than these would hide all other warnings. */
export const MAX_LOSSES = 20;

export interface PreflightOptions {
  /** The line on which the body begins. Null if its lines are not lines of the document. */
  bodyLine: number | null;
  /** Returns false when time runs out: the check is skipped, and the publish goes on. */
  canFormat?: (platform: Platform) => boolean;
}

/** One entry per platform that this version delivers to, in the given order. Never throws. */
export function preflight(
  article: DeliverableArticle,
  platforms: readonly Platform[],
  { bodyLine, canFormat = () => true }: PreflightOptions,
): Preflight[] {
  return platforms.flatMap((platform) => {
    const descriptor = findDescriptor(platform);
    if (descriptor === null) return [];
    const { label } = descriptor;
    if (!canFormat(platform)) return [{ platform, label, losses: [reportUnchecked(label)], refusal: null }];
    const { losses, refusal } = tryFormat(descriptor, article);
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

/** The refusal if the format itself throws. */
export function reportFormatFailure(label: string): RefusalNotice {
  const message = `Courant could not format the article for ${label}. This is a bug in Courant: please report it.`;
  return { code: 'format_failed', message };
}

/** Effects to report before the first copy: it cannot be changed, or not withdrawn. */
export function listPermanentEffects(platform: Platform): Notice[] {
  const descriptor = findDescriptor(platform);
  if (descriptor === null) return [];
  const { label, limits } = descriptor;
  const effects: Notice[] = [];
  if (!limits.canUpdate)
    effects.push({
      code: 'cannot_update',
      message: `${label} cannot update posts: later edits do not reach the copy.`,
    });
  const message = WITHDRAWALS[limits.withdraw]?.(label);
  if (message !== undefined) effects.push({ code: 'cannot_withdraw', message });
  return effects;
}

const WITHDRAWALS: Partial<Record<Limits['withdraw'], (label: string) => string>> = {
  none: (label) => `${label} cannot withdraw posts: only you can remove the copy there.`,
  delisted: (label) => `${label} only hides a withdrawn post: the copy stays at its address until you delete it there.`,
};

function tryFormat({ format, label }: NonNullable<ReturnType<typeof findDescriptor>>, article: DeliverableArticle) {
  try {
    return format(article);
  } catch {
    // The delivery ends in the same way and logs the error for the operator.
    return { losses: [], refusal: reportFormatFailure(label) };
  }
}

function limitLosses(losses: Notice[], label: string): Notice[] {
  if (losses.length <= MAX_LOSSES) return losses;
  const message = `${losses.length - MAX_LOSSES} more changes at ${label}.`;
  return [...losses.slice(0, MAX_LOSSES), { code: 'more_losses', message }];
}

/** Formats count lines from the first line of the body. */
function locateInDocument<Code extends string>(
  { line, column: _, ...notice }: Notice<Code>,
  bodyLine: number | null,
): Notice<Code> {
  return line === undefined || bodyLine === null ? notice : { ...notice, line: line + bodyLine - 1 };
}

function reportUnchecked(label: string): Notice {
  const message = `The article is too large to check in advance how ${label} shows it; the delivery reports problems.`;
  return { code: 'not_checked', message };
}
