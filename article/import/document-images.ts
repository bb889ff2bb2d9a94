/** The pictures of a stored document, and the document with other addresses for some of them: nothing else of it changes. */
import { applyOverrides } from '../overrides/apply-overrides.ts';
import type { ArticleDraft } from '../types.ts';
import { findImages, replaceImages } from './post-images.ts';

export interface DocumentImages {
  document: string;
  /** Each address once, the cover first. */
  images: string[];
}

/** `draft` is how the document is read. Without copies it stays as it is. */
export function replaceDocumentImages(
  document: string,
  { body, baseUrl, canonicalUrl, coverImage }: ArticleDraft,
  copies: ReadonlyMap<string, string>,
): DocumentImages {
  // Where the text is not the end of the document byte for byte, its places are not known.
  const placed = document.endsWith(body) ? findImages(body, { baseUrl, canonicalUrl }) : [];
  const cover = coverImage === null || !URL.canParse(coverImage) ? [] : [new URL(coverImage).href];
  const images = [...new Set([...cover, ...placed.map(({ address }) => address)])];
  const changed = document.slice(0, document.length - body.length) + replaceImages(body, placed, copies);
  const [copiedCover] = cover.flatMap((address) => copies.get(address) ?? []);
  if (placed.length === 0 && copiedCover === undefined) return { document, images };
  const whole = placed.length === 0 ? document : changed;
  return { document: copiedCover === undefined ? whole : applyOverrides(whole, { coverImage: copiedCover }), images };
}
