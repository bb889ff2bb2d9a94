/** Lists the pictures of a stored document and replaces the addresses of copied ones. */
import { applyOverrides } from '../overrides/apply-overrides.ts';
import type { ArticleDraft } from '../types.ts';
import { findImages, replaceImages } from './post-images.ts';

export interface DocumentImages {
  document: string;
  /** Addresses without repetitions, the cover first. */
  images: string[];
}

/** The draft must be the one read from `document`. Without copies the document stays unchanged. */
export function replaceDocumentImages(
  document: string,
  { body, baseUrl, canonicalUrl, coverImage }: ArticleDraft,
  copies: ReadonlyMap<string, string>,
): DocumentImages {
  // If the document does not end with exactly this body, offsets in the document are unknown.
  const placed = document.endsWith(body) ? findImages(body, { baseUrl, canonicalUrl }) : [];
  const cover = coverImage === null || !URL.canParse(coverImage) ? [] : [new URL(coverImage).href];
  const images = [...new Set([...cover, ...placed.map(({ address }) => address)])];
  const changed = document.slice(0, document.length - body.length) + replaceImages(body, placed, copies);
  const [copiedCover] = cover.flatMap((address) => copies.get(address) ?? []);
  if (placed.length === 0 && copiedCover === undefined) return { document, images };
  const edited = placed.length === 0 ? document : changed;
  return { document: copiedCover === undefined ? edited : applyOverrides(edited, { coverImage: copiedCover }), images };
}
