/** Reads subtitle, cover and original address in Medium's texts, and removes its notes. */
import type { Element, ElementContent, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import { visit } from 'unist-util-visit';

export interface MediumFacts {
  subtitle: string | null;
  cover: string | null;
  /** The address of the original, if the article was first published elsewhere. */
  canonicalUrl: string | null;
}

/** Medium has two levels of headings. */
const LEVELS: Record<string, string> = { h3: 'h2', h4: 'h3' };
const MAX_SUBTITLE_LENGTH = 300;

/** Removes the facts that it returns from `tree`. */
export function prepareMedium(tree: Root): MediumFacts {
  removePublicationNote(tree);
  const facts = { canonicalUrl: extractOrigin(tree), subtitle: extractSubtitle(tree), cover: extractCover(tree) };
  visit(tree, 'element', (node) => {
    node.tagName = LEVELS[node.tagName] ?? node.tagName;
  });
  return facts;
}

/** "… was originally published in …": after a rule, at the end of stories in a publication. */
function removePublicationNote(tree: Root): void {
  const last = findLast(tree);
  if (last?.tagName === 'p' && / was originally published in /.test(toText(last))) removeNote(tree, last);
}

/** "Originally published at …", as Medium's import and this service write it. */
function extractOrigin(tree: Root): string | null {
  const last = findLast(tree);
  if (last?.tagName !== 'p' || !/^\s*originally published (?:at|on) /i.test(toText(last))) return null;
  const link = findFirst(last, 'a')?.properties.href;
  if (typeof link !== 'string' || !/^https?:\/\//i.test(link)) return null;
  removeNote(tree, last);
  return link;
}

function removeNote(tree: Root, note: Element): void {
  remove(tree, note);
  const rule = findLast(tree);
  if (rule?.tagName === 'hr') remove(tree, rule);
}

function extractSubtitle(tree: Root): string | null {
  const [first] = listElements(tree);
  if (first?.tagName !== 'h4') return null;
  const text = toText(first).replace(/\s+/g, ' ').trim();
  if (text === '' || text.length > MAX_SUBTITLE_LENGTH) return null;
  remove(tree, first);
  return text;
}

/** The picture at the top. Its caption stays in the text. */
function extractCover(tree: Root): string | null {
  const [first] = listElements(tree);
  if (first?.tagName !== 'figure') return null;
  const src = findFirst(first, 'img')?.properties.src;
  if (typeof src !== 'string') return null;
  first.children = first.children.filter((child) => child.type === 'element' && child.tagName === 'figcaption');
  return src;
}

function findFirst(node: Element, tagName: string): Element | null {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const found = child.tagName === tagName ? child : findFirst(child, tagName);
    if (found) return found;
  }
  return null;
}

/** The last element that is no image. Counters of readers are images. */
function findLast(tree: Root): Element | null {
  return listElements(tree).findLast(({ tagName }) => tagName !== 'img') ?? null;
}

function listElements(tree: Root): Element[] {
  return tree.children.filter((child): child is Element => child.type === 'element');
}

function remove(tree: Root, node: ElementContent): void {
  tree.children.splice(tree.children.indexOf(node), 1);
}
