/**
 * Decides which article a publish updates: by id, slug, canonical URL, title (4.1). Only keys that
 * the author wrote can exclude a match.
 */
import type { ArticleDraft, DocumentSource } from '../types.ts';

/** The keys of a stored article. `slug` is its address, `requestedSlug` its author's. */
export interface MatchCandidate {
  id: string;
  externalId: string | null;
  slug: string;
  requestedSlug: string | null;
  /** The requested slug, if the article had it before and a redirect leads from it. */
  formerSlug: string | null;
  titleKey: string;
  requestedCanonicalUrl: string | null;
  canonicalKey: string;
  /** The source of its document. `sourcePath` is null if unknown. */
  sourceRepository: string | null;
  sourcePath: string | null;
}

export interface MatchKeys {
  externalId: string | null;
  slug: string | null;
  /** Null without a canonical URL, and for the root of a site, which identifies no article. */
  canonicalKey: string | null;
  titleKey: string;
  isTitleFromFileName: boolean;
  /** Restricts matches by title. Does not match an article by itself. */
  source: DocumentSource | null;
}

/** `candidates` are sorted oldest first. Of equal matches the oldest wins. */
export function matchArticle<C extends MatchCandidate>(keys: MatchKeys, candidates: readonly C[]): C | null {
  // Ids of this service are UUIDs, which are compared without regard to case.
  const hasSameId = (c: C) =>
    keys.externalId !== null && (c.id === keys.externalId.toLowerCase() || c.externalId === keys.externalId);
  const byId = candidates.find(hasSameId);
  if (byId) return byId;

  // Two different ids of the author mean two articles, even if all other keys agree.
  const sameOrNoId = candidates.filter((c) => keys.externalId === null || c.externalId === null);
  return (
    sameOrNoId.find((c) => keys.slug !== null && c.slug === keys.slug) ??
    sameOrNoId.find((c) => keys.slug !== null && c.requestedSlug === keys.slug) ??
    sameOrNoId.find((c) => keys.slug !== null && c.formerSlug === keys.slug) ??
    sameOrNoId.find((c) => keys.canonicalKey !== null && c.canonicalKey === keys.canonicalKey) ??
    matchTitle(keys, sameOrNoId)
  );
}

export function buildTitleKey(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function buildMatchKeys(
  { externalId, slug, title, isTitleFromFileName }: ArticleDraft,
  { canonicalKey, source }: Pick<MatchKeys, 'canonicalKey' | 'source'>,
): MatchKeys {
  return { externalId, slug, canonicalKey, titleKey: buildTitleKey(title), isTitleFromFileName, source };
}

function matchTitle<C extends MatchCandidate>(keys: MatchKeys, candidates: readonly C[]): C | null {
  const isOfSource = ({ sourceRepository, sourcePath }: C) =>
    keys.source !== null && sourcePath === keys.source.path && sourceRepository === keys.source.repository;
  const sameTitle = candidates.filter(
    (c) =>
      c.titleKey === keys.titleKey &&
      !(keys.slug !== null && c.requestedSlug !== null && c.requestedSlug !== keys.slug) &&
      !(keys.canonicalKey !== null && c.requestedCanonicalUrl !== null && c.canonicalKey !== keys.canonicalKey) &&
      // Files in different folders often have the same name: two `post/index.md` are two articles.
      (!keys.isTitleFromFileName || c.sourcePath === null || isOfSource(c)),
  );
  // Prefers the article of the same file, then one with the same external id, which may be null.
  return sameTitle.find(isOfSource) ?? sameTitle.find((c) => c.externalId === keys.externalId) ?? sameTitle[0] ?? null;
}
