/**
 * Which of the author's own articles a publish means (4.1 rule 1): id, then slug, then canonical URL, then title. Only
 * keys that the author gave count against a match. Pure, so that the rules can be tested without a database.
 */
import type { ArticleDraft } from '../types.ts';

/** What an article is known by. `slug` is its address; `givenSlug` what its author asked for. */
export interface Candidate {
  id: string;
  externalId: string | null;
  slug: string;
  givenSlug: string | null;
  /** The wanted slug, where this article lived there before and a redirect leads from it. */
  formerSlug: string | null;
  titleKey: string;
  givenCanonicalUrl: string | null;
  canonicalKey: string;
}

export interface WantedKeys {
  externalId: string | null;
  slug: string | null;
  /** Null where no canonical URL was given, or it is only a site's root, which says nothing about an article. */
  canonicalKey: string | null;
  titleKey: string;
}

/** Candidates come oldest first; among equals the oldest wins. */
export function matchArticle<C extends Candidate>(wanted: WantedKeys, candidates: readonly C[]): C | null {
  // Our own ids are UUIDs, whose case does not matter.
  const sameId = (c: C) =>
    wanted.externalId !== null && (c.id === wanted.externalId.toLowerCase() || c.externalId === wanted.externalId);
  const byId = candidates.find(sameId);
  if (byId) return byId;

  // Two given ids that differ are two articles whatever else agrees.
  const open = candidates.filter((c) => wanted.externalId === null || c.externalId === null);
  return (
    open.find((c) => wanted.slug !== null && c.slug === wanted.slug) ??
    open.find((c) => wanted.slug !== null && c.givenSlug === wanted.slug) ??
    open.find((c) => wanted.slug !== null && c.formerSlug === wanted.slug) ??
    open.find((c) => wanted.canonicalKey !== null && c.canonicalKey === wanted.canonicalKey) ??
    matchTitle(wanted, open)
  );
}

/** Case and white space folded. */
export function titleKey(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function wantedKeys(draft: ArticleDraft, canonicalKey: string | null): WantedKeys {
  return { externalId: draft.externalId, slug: draft.slug, canonicalKey, titleKey: titleKey(draft.title) };
}

function matchTitle<C extends Candidate>(wanted: WantedKeys, candidates: readonly C[]): C | null {
  const sameTitle = candidates.filter(
    (c) =>
      c.titleKey === wanted.titleKey &&
      !(wanted.slug !== null && c.givenSlug !== null && c.givenSlug !== wanted.slug) &&
      !(wanted.canonicalKey !== null && c.givenCanonicalUrl !== null && c.canonicalKey !== wanted.canonicalKey),
  );
  // Without an id in the request, an article that has none either is the nearer one.
  return sameTitle.find((c) => c.externalId === wanted.externalId) ?? sameTitle[0] ?? null;
}
