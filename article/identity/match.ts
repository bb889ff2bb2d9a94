/**
 * Decides which of the author's own articles a publish updates: by id, then slug, then canonical URL, then title
 * (specification 4.1). Only keys that the author gave can rule a match out.
 */
import type { ArticleDraft } from '../types.ts';

/** The keys of a stored article. `slug` is its address; `givenSlug` is the one its author asked for. */
export interface Candidate {
  id: string;
  externalId: string | null;
  slug: string;
  givenSlug: string | null;
  /** The requested slug, if the article had it before and a redirect still leads from it. */
  formerSlug: string | null;
  /** Its document wrote the slug as this one does, and `givenSlug` is how that was read then. */
  isWrittenAlike: boolean;
  titleKey: string;
  givenCanonicalUrl: string | null;
  canonicalKey: string;
}

/** The keys that a publish request gives. */
export interface MatchKeys {
  externalId: string | null;
  slug: string | null;
  /** Null if no canonical URL was given, or only the root of a site, which identifies no article. */
  canonicalKey: string | null;
  titleKey: string;
}

/** Candidates come oldest first; among equals the oldest wins. */
export function matchArticle<C extends Candidate>(given: MatchKeys, candidates: readonly C[]): C | null {
  // Our own ids are UUIDs, which are compared without regard to case.
  const hasGivenId = (c: C) =>
    given.externalId !== null && (c.id === given.externalId.toLowerCase() || c.externalId === given.externalId);
  const byId = candidates.find(hasGivenId);
  if (byId) return byId;

  // Two different ids given by the author mean two articles, even if everything else agrees.
  const open = candidates.filter((c) => given.externalId === null || c.externalId === null);
  return (
    open.find((c) => given.slug !== null && c.slug === given.slug) ??
    open.find((c) => given.slug !== null && c.givenSlug === given.slug) ??
    open.find((c) => given.slug !== null && c.formerSlug === given.slug) ??
    open.find((c) => c.isWrittenAlike) ??
    open.find((c) => given.canonicalKey !== null && c.canonicalKey === given.canonicalKey) ??
    matchTitle(given, open)
  );
}

/** The title with case and white space folded. */
export function buildTitleKey(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function buildMatchKeys(draft: ArticleDraft, canonicalKey: string | null): MatchKeys {
  return { externalId: draft.externalId, slug: draft.slug, canonicalKey, titleKey: buildTitleKey(draft.title) };
}

function matchTitle<C extends Candidate>(given: MatchKeys, candidates: readonly C[]): C | null {
  const sameTitle = candidates.filter(
    (c) =>
      c.titleKey === given.titleKey &&
      !(given.slug !== null && c.givenSlug !== null && c.givenSlug !== given.slug) &&
      !(given.canonicalKey !== null && c.givenCanonicalUrl !== null && c.canonicalKey !== given.canonicalKey),
  );
  // If the request has no id, an article without one is the closer match.
  return sameTitle.find((c) => c.externalId === given.externalId) ?? sameTitle[0] ?? null;
}
