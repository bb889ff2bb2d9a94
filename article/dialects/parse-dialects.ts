/** What other places than GitHub understand as Markdown, read into the same tree. The source keeps it as its author wrote it. */
import type { Code, Nodes, Parents, PhrasingContent, Root, RootContent, Text } from 'mdast';
import { walkTree } from '../walk-tree.ts';
import { readAlert } from './alerts.ts';
import { findFenceLoss, readFence } from './code-fences.ts';
import { type Container, findContainers, groupContainers } from './containers.ts';
import { replaceEmojiCodes } from './emoji.ts';
import { findEscapes } from './escapes.ts';
import { findHeadingIds, type HeadingId, setHeadingId } from './heading-ids.ts';
import { findImageAttributes } from './image-attributes.ts';
import { rememberLosses } from './losses.ts';
import { findMath } from './math.ts';
import { unwrapPercentEmbeds } from './percent-embeds.ts';
import { readFigure } from './shortcodes.ts';
import { dropOverlaps, MASK, MASKS, maskPieces, type Piece, type Span } from './spans.ts';
import { findTemplateTags } from './template-tags.ts';
import { findToolMarks } from './tool-marks.ts';

/** Without any of these a text has nothing to mask. */
export const MAY_HOLD = /[$]|\\[([:{]|="|[ \t]=[\dx]|%%|==|[ \t]\^|\[\[|\[_?toc|\{[{%:#]|\)\{|@\[|:::|!!!|\?\?\?/i;

interface Found {
  pieces: Piece[];
  ids: HeadingId[];
  containers: Container[];
}

/** Positions in the tree are those of `body`. */
export function parseDialects(body: string, parse: (text: string) => Root): Root {
  let tree = parse(body);
  let found: Found = { pieces: [], ids: [], containers: [] };
  if (MAY_HOLD.test(body) && !MASKS.test(body)) {
    const code = listCode(tree);
    found = findPieces(body, (offset) => !isWithin(code, offset));
    if (found.pieces.length > 0) ({ tree, found } = parseMasked(body, found, parse));
  }
  groupContainers(tree, found.containers);
  const fences = adaptNodes(tree, body, [...found.ids]);
  rememberLosses(tree, [...found.pieces, ...fences], body);
  return tree;
}

/** `isText` says what is no code, where nothing is masked. */
export function findPieces(body: string, isText: (offset: number) => boolean): Found {
  const ids = findHeadingIds(body).filter(({ start }) => isText(start));
  const containers = findContainers(body, isText);
  const pieces = findMarks(body).filter(({ start, end }) => isText(start) && isText(end - 1));
  const escapes = findEscapes(body).filter(({ start }) => isText(start));
  const lines = containers.flatMap(({ open, close, loss }): Piece[] => [
    loss === undefined ? open : { ...open, loss },
    close,
  ]);
  return { pieces: dropOverlaps([...escapes, ...pieces, ...ids, ...lines]), ids, containers };
}

function findMarks(body: string): Piece[] {
  return [...findMath(body), ...findToolMarks(body), ...findTemplateTags(body), ...findImageAttributes(body)];
}

/** What would stand in an address or another place that is no text stays as it is. */
function parseMasked(body: string, found: Found, parse: (text: string) => Root): { tree: Root; found: Found } {
  let { pieces } = found;
  for (let tries = 0; tries < 2; tries += 1) {
    const tree = parse(maskPieces(body, pieces));
    unlinkMasked(tree);
    const misplaced = listMisplaced(tree);
    if (misplaced.length === 0) {
      putBack(tree, pieces);
      return { tree, found: { ...found, pieces } };
    }
    pieces = pieces.filter(({ start, node }) => node === undefined || !isWithin(misplaced, start));
  }
  const blanks = pieces.filter(({ node }) => node === undefined);
  return { tree: parse(maskPieces(body, blanks)), found: { ...found, pieces: blanks } };
}

/** An address that GFM finds only once the tree is there goes on into what is masked behind it, and has no place of its own. */
function unlinkMasked(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (!('children' in node)) return undefined;
    const isMasked = (child: Nodes): boolean =>
      child.type === 'link' && child.position === undefined && MASKS.test(child.url);
    if (node.children.some(isMasked))
      node.children = (node.children as Nodes[]).flatMap((child): Nodes[] =>
        child.type === 'link' && isMasked(child) ? child.children : [child],
      ) as never;
    return undefined;
  });
}

function listMisplaced(tree: Root): Span[] {
  const spans: Span[] = [];
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'text' || node.type === 'root') return undefined;
    const { children: _, position: __, ...own } = node as Nodes & { children?: unknown };
    if (Object.values(own).some((value) => typeof value === 'string' && MASKS.test(value)))
      spans.push(...readOwnSpans(node));
    return undefined;
  });
  return spans.sort((a, b) => a.start - b.start);
}

/** Without its children: the words of a link are text, whatever is in its address, unless they are the address. */
function readOwnSpans(node: Nodes): Span[] {
  const { start, end } = readSpan(node);
  const children: Nodes[] = 'children' in node && !isOwnText(node) ? node.children : [];
  const [first, last] = [children[0], children.at(-1)];
  if (first?.position === undefined || last?.position === undefined) return [{ start, end }];
  return [
    { start, end: readSpan(first).start },
    { start: readSpan(last).end, end },
  ];
}

function putBack(tree: Root, pieces: readonly Piece[]): void {
  const nodes = pieces.flatMap(({ node }) => (node === undefined ? [] : [node]));
  let at = 0;
  const split = (text: Text): PhrasingContent[] => {
    if (!MASKS.test(text.value)) return [text];
    const parts: PhrasingContent[] = [];
    let from = 0;
    for (const { 0: mark, index } of text.value.matchAll(MASK)) {
      if (index > from) parts.push({ ...text, value: text.value.slice(from, index) });
      const node = nodes[at];
      at += 1;
      // A tag has no place of its own: what is read at the place of an HTML node is its source.
      const isPlaced = text.position !== undefined && node?.type !== 'html';
      if (node !== undefined) parts.push(isPlaced ? { ...node, position: text.position } : node);
      from = index + mark.length;
    }
    if (from < text.value.length) parts.push({ ...text, value: text.value.slice(from) });
    return parts;
  };
  // In the order of the source: what stands in a link before a text comes before what stands in the text.
  const visit = (node: Nodes): void => {
    if (!('children' in node)) return;
    const parts = (node.children as Nodes[]).flatMap((child): Nodes[] => {
      if (child.type === 'text') return split(child);
      visit(child);
      return [child];
    });
    node.children = parts as never;
  };
  visit(tree);
}

/** An address that is a link by itself: it has no place in the source beside its words. */
function isOwnText({ type, data }: Nodes): boolean {
  return type === 'link' && !(data !== undefined && 'destination' in data);
}

/** Returns the fences of which something is lost. */
function adaptNodes(tree: Root, body: string, ids: HeadingId[]): Piece[] {
  const lost: Piece[] = [];
  walkTree<Nodes>(tree, (node) => {
    // An address that is its own text is shown as it is.
    if (isOwnText(node)) return 'skip';
    if (node.type === 'text') node.value = replaceEmojiCodes(node.value);
    else if (node.type === 'blockquote') readAlert(node);
    else if (node.type === 'heading' && ids.length > 0) setHeadingId(node, body, ids);
    else if (node.type === 'paragraph') unwrapPercentEmbeds(node.children);
    else if (node.type === 'code' && node.position !== undefined) {
      const loss = findFenceLoss(node);
      if (loss !== undefined) lost.push({ ...readSpan(node), loss });
    }
    if ('children' in node) adaptBlocks(node);
    return undefined;
  });
  return lost;
}

/** Shows the names of files above their code, and makes blocks of displays that stand alone. */
function adaptBlocks(parent: Parents): void {
  const children = parent.children as RootContent[];
  if (!children.some(({ type }) => type === 'code' || type === 'paragraph')) return;
  parent.children = children.flatMap((child): RootContent[] => {
    if (child.type === 'paragraph') return [readDisplay(child.children) ?? readFigure(child.children) ?? child];
    const name = child.type === 'code' ? readFence(child) : null;
    return name === null ? [child] : [{ type: 'paragraph', children: [{ type: 'inlineCode', value: name }] }, child];
  }) as never;
}

function readDisplay(children: PhrasingContent[]): Code | null {
  const [only, ...others] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  if (only?.type !== 'inlineCode' || others.length > 0) return null;
  const classes = only.data?.hProperties?.className;
  if (!Array.isArray(classes) || !classes.some((name) => String(name).endsWith('-display'))) return null;
  return { type: 'code', lang: String(classes[0]).replace('language-', ''), value: only.value };
}

export function listCode(tree: Root): Span[] {
  return listNodes(tree, ({ type }) => type === 'code' || type === 'inlineCode' || type === 'html');
}

/** Code between marks: what is code by its indent alone is none in MDX. */
export function listMarkedCode(tree: Root, body: string): Span[] {
  const isMarked = (node: Nodes): boolean => '`~'.includes(body[readSpan(node).start] ?? ' ');
  return listNodes(tree, (node) => (node.type === 'inlineCode' || node.type === 'code') && isMarked(node));
}

function listNodes(tree: Root, isListed: (node: Nodes) => boolean): Span[] {
  const spans: Span[] = [];
  walkTree<Nodes>(tree, (node) => {
    if (isListed(node)) spans.push(readSpan(node));
    return undefined;
  });
  return spans;
}

function readSpan({ position }: Nodes): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

/** `spans` are in order and do not overlap. */
export function isWithin(spans: readonly Span[], offset: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= offset;
}
