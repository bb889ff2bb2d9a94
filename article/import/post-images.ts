/** Finds the pictures of a Markdown text and replaces their addresses. Every other byte stays. */
import type { Definition, Html, Image, ImageReference, Nodes } from 'mdast';
import { escapeAttribute, escapeDestination } from '../markdown/addresses/absolute-links.ts';
import { type AddressBases, resolveAddress } from '../markdown/addresses/resolve-address.ts';
import { findExcess } from '../markdown/complexity.ts';
import { applyTextEdits, type TextEdit } from '../markdown/edits.ts';
import { findHtmlAddresses } from '../markdown/html/html-addresses.ts';
import { getLinkDestination, parseMarkdown } from '../markdown/parse-markdown.ts';
import { applyOverrides } from '../overrides/apply-overrides.ts';
import type { ArticleDraft } from '../types.ts';
import { walkTree } from '../walk-tree.ts';

export interface PlacedImage {
  address: string;
  edit(address: string): TextEdit;
}

/** In text order. Only web addresses. None for a text that exceeds the limits of a publish. */
export function findImages(body: string, bases: AddressBases): PlacedImage[] {
  if (findExcess(body) !== null) return [];
  const tree = parseMarkdown(body);
  const found: PlacedImage[] = [];
  const definitions = new Map<string, Definition>();
  const used = new Set<string>();

  const addImage = (node: Image | Definition) => {
    const address = readAddress(node.url, bases);
    const destination = getLinkDestination(node);
    if (address === null || destination === undefined) return;
    found.push({ address, edit: (text) => ({ ...destination, text: escapeDestination(text) }) });
  };
  const addHtmlImages = ({ position }: Html) => {
    const offset = position?.start.offset;
    if (offset === undefined) return;
    for (const { start, end, value, isBare, of } of findHtmlAddresses(body.slice(offset, position?.end.offset))) {
      const address = /^(?:img src(?:set)?|source srcset)$/.test(of)
        ? readAddress(decodeAmpersands(value), bases)
        : null;
      if (address === null) continue;
      const write = (text: string) => (isBare ? `"${escapeAttribute(text)}"` : escapeAttribute(text));
      found.push({ address, edit: (text) => ({ start: offset + start, end: offset + end, text: write(text) }) });
    }
  };

  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'image') addImage(node);
    else if (node.type === 'html') addHtmlImages(node);
    else if (node.type === 'imageReference') used.add((node satisfies ImageReference).identifier);
    // Of two definitions with one name the first counts.
    else if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    return undefined;
  });
  for (const [identifier, definition] of definitions) if (used.has(identifier)) addImage(definition);
  return found;
}

export function replaceImages(
  body: string,
  images: readonly PlacedImage[],
  copies: ReadonlyMap<string, string>,
): string {
  const edits = images.flatMap(({ address, edit }) => {
    const copy = copies.get(address);
    return copy === undefined ? [] : [edit(copy)];
  });
  return applyTextEdits(body, edits);
}

function readAddress(written: string, bases: AddressBases): string | null {
  const resolved = resolveAddress(written, bases);
  const address = resolved.kind === 'absolute' ? resolved.url : written.trim();
  const url = resolved.kind === 'unresolved' ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** An ampersand is the only character in addresses that HTML must escape. */
function decodeAmpersands(value: string): string {
  return value.replaceAll('&amp;', '&');
}

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
