/** Lists what destinations would lose or reject of a document just read, as far as time allows. */
import { buildSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle, DestinationKey, RenderedArticle } from '../../article/types.ts';
import { type Preflight, preflight } from '../../destinations/format/preflight.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import { DESCRIPTORS } from '../../destinations/registry.ts';
import type { Platform } from '../../destinations/types.ts';
import type { ConnectedPlatforms } from '../../store/connections/list.ts';

/** The pool ends a task after 5 s, and a publish must not fail because of its warnings. */
const RENDER_BUDGET_MS = 2_500;
const FORMAT_BUDGET_MS = 4_000;

export interface PreflightRequest {
  /** Connected destinations. The check skips those for which the document is not selected. */
  platforms: [DestinationKey, Platform][];
  /** Address of this site, for the canonical URL of an article without its own. */
  baseUrl: string;
}

/** Returns undefined if nothing is connected. Skips a platform that does not belong to its key. */
export function buildPreflightRequest(connected: ConnectedPlatforms, baseUrl: string): PreflightRequest | undefined {
  const platforms = (Object.keys(PLATFORMS_BY_KEY) as DestinationKey[]).flatMap((key): [DestinationKey, Platform][] => {
    const platform = PLATFORMS_BY_KEY[key].find((candidate) => candidate === connected[key]);
    return platform === undefined ? [] : [[key, platform]];
  });
  return platforms.length === 0 ? undefined : { platforms, baseUrl };
}

interface ReadDraft {
  draft: ArticleDraft;
  rendered: RenderedArticle;
  bodyLine: number | null;
  /** Start of reading, from `performance.now()`. */
  begin: number;
}

/** Checks the requested destinations for which the document is selected; none of an empty body. */
export function preflightDraft(
  { draft, rendered, bodyLine, begin }: ReadDraft,
  request: PreflightRequest | undefined,
): Preflight[] {
  if (!request || draft.body.trim() === '') return [];
  const enabled = request.platforms.filter(([key]) => draft.crossPost[key]).map(([, platform]) => platform);
  const readMs = performance.now() - begin;
  const canFormat = (platform: Platform) => hasTimeFor(platform, { readMs, spentMs: performance.now() - begin });
  return preflight(toDeliverable(draft, rendered, request.baseUrl), enabled, { bodyLine, canFormat });
}

/**
 * True if formatting for a platform fits into the time. A format that renders is estimated at twice
 * the time of reading and deriving; other formats take 0.1 s for 1 MiB.
 */
export function hasTimeFor(platform: Platform, { readMs, spentMs }: { readMs: number; spentMs: number }): boolean {
  return DESCRIPTORS[platform].formatsAsHtml ? spentMs + 2 * readMs < RENDER_BUDGET_MS : spentMs < FORMAT_BUDGET_MS;
}

/** The store may choose another slug if this one is taken, which does not change the preflights. */
function toDeliverable(draft: ArticleDraft, { excerpt }: RenderedArticle, baseUrl: string): DeliverableArticle {
  const slug = draft.slug ?? buildSlug(draft.title);
  const { title, subtitle, tags, coverImage, generateToc, commentsEnabled, body } = draft;
  const canonicalUrl = draft.canonicalUrl ?? `${baseUrl}/${encodeURIComponent(slug)}`;
  return {
    ...{ id: slug, slug, title, subtitle, excerpt, tags },
    ...{ canonicalUrl, coverImage, generateToc, commentsEnabled, body },
  };
}
