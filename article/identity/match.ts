/**
 * Decides which of the author's own articles a publish updates: by id, then slug, then canonical URL, then title
 * (specification 4.1). Only keys that the author gave can rule a match out.
 */
import type { ArticleDraft, DocumentSource } from '../types.ts';

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
  /** The source of its document; `sourcePath` is null if it is unknown. */
  sourceRepository: string | null;
  sourcePath: string | null;
}

/** The keys that a publish request gives. */
export interface MatchKeys {
  externalId: string | null;
  slug: string | null;
  /** Null if no canonical URL was given, or only the root of a site, which identifies no article. */
  canonicalKey: string | null;
  titleKey: string;
  isTitleFromFileName: boolean;
  /** Does not match an article by itself; restricts matches by title. */
  source: DocumentSource | null;
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

export function buildMatchKeys(
  { externalId, slug, title, isTitleFromFileName }: ArticleDraft,
  { canonicalKey, source }: Pick<MatchKeys, 'canonicalKey' | 'source'>,
): MatchKeys {
  return { externalId, slug, canonicalKey, titleKey: buildTitleKey(title), isTitleFromFileName, source };
}

function matchTitle<C extends Candidate>(given: MatchKeys, candidates: readonly C[]): C | null {
  const isOfSource = ({ sourceRepository, sourcePath }: C) =>
    given.source !== null && sourcePath === given.source.path && sourceRepository === given.source.repository;
  const sameTitle = candidates.filter(
    (c) =>
      c.titleKey === given.titleKey &&
      !(given.slug !== null && c.givenSlug !== null && c.givenSlug !== given.slug) &&
      !(given.canonicalKey !== null && c.givenCanonicalUrl !== null && c.canonicalKey !== given.canonicalKey) &&
      // Files in different folders often have the same name: two `post/index.md` are two articles.
      (!given.isTitleFromFileName || c.sourcePath === null || isOfSource(c)),
  );
  // Prefers the article of the same file; then, for a request without an id, one without an id.
  return sameTitle.find(isOfSource) ?? sameTitle.find((c) => c.externalId === given.externalId) ?? sameTitle[0] ?? null;
}
