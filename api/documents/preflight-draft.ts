/** Lists what destinations would lose or reject of a document just read, as far as time allows. */
import { buildSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle, RenderedArticle } from '../../article/types.ts';
import { type Preflight, preflight } from '../../destinations/format/preflight.ts';
import { DESCRIPTORS } from '../../destinations/registry.ts';
import type { Platform } from '../../destinations/types.ts';
import type { PreflightRequest } from './preflight-request.ts';

/** The pool ends a task after 5 s, and a publish must not fail because of its warnings. */
const RENDER_BUDGET_MS = 2_500;
const FORMAT_BUDGET_MS = 4_000;

export interface ReadDraft {
  draft: ArticleDraft;
  rendered: RenderedArticle;
  bodyLine: number | null;
  /** Start of reading, from `performance.now()`. */
  begin: number;
}

/** Checks the requested destinations for which the document is selected. */
export function preflightDraft(
  { draft, rendered, bodyLine, begin }: ReadDraft,
  { platforms, baseUrl }: PreflightRequest,
): Preflight[] {
  const enabled = platforms.filter(([key]) => draft.crossPost[key]).map(([, platform]) => platform);
  const readMs = performance.now() - begin;
  const canFormat = (platform: Platform) => hasTimeFor(platform, { readMs, spentMs: performance.now() - begin });
  return preflight(toDeliverable(draft, rendered, baseUrl), enabled, { bodyLine, canFormat });
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
    id: slug,
    slug,
    title,
    subtitle,
    excerpt,
    tags,
    canonicalUrl,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}
