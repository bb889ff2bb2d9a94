/** What an author's destinations would lose or refuse of a document that was just read, as far as there is time to look. */
import { buildSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle, RenderedArticle } from '../../article/types.ts';
import { rendersHtml } from '../../destinations/format/platform-formats.ts';
import { type Preflight, preflight } from '../../destinations/format/preflight.ts';
import type { Platform } from '../../destinations/types.ts';
import type { PreflightQuestion } from './preflight-question.ts';

/** The pool ends a task after 5 s, and a publish must not fail because of its warnings. */
const RENDERING_MS = 2_500;
const LIGHT_MS = 4_000;

export interface ReadDraft {
  draft: ArticleDraft;
  rendered: RenderedArticle;
  bodyLine: number | null;
  /** When its reading began, by `performance.now()`. */
  begin: number;
}

/** Of the destinations of the question those that the document asks for. */
export function preflightDraft(
  { draft, rendered, bodyLine, begin }: ReadDraft,
  { platforms, baseUrl }: PreflightQuestion,
): Preflight[] {
  const enabled = platforms.filter(([key]) => draft.crossPost[key]).map(([, platform]) => platform);
  const readMs = performance.now() - begin;
  const mayFormat = (platform: Platform) => hasTimeFor(platform, { readMs, spentMs: performance.now() - begin });
  return preflight(toDeliverable(draft, rendered, baseUrl), enabled, { bodyLine, mayFormat });
}

/**
 * Whether a platform's format will fit in. One that renders is reckoned to take twice as long as reading and deriving did, so a large
 * article is not rendered for each platform too; the others take a tenth of a second for 1 MiB.
 */
export function hasTimeFor(platform: Platform, { readMs, spentMs }: { readMs: number; spentMs: number }): boolean {
  return rendersHtml(platform) ? spentMs + 2 * readMs < RENDERING_MS : spentMs < LIGHT_MS;
}

/** Before the store has chosen the slug: one that turns out to be taken makes no difference to what is lost. */
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
