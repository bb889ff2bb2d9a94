/** Reads Markdown of other dialects into the tree of GitHub's. The source stays unchanged. */
import type { Code, Nodes, Parents, PhrasingContent, Root, RootContent, Text } from 'mdast';
import { walkTree } from '../walk-tree.ts';
import { readAlert } from './alerts.ts';
import { findFenceLoss, readFence } from './code-fences.ts';
import { type Container, findContainers, groupContainers } from './containers.ts';
import { replaceEmojiCodes } from './inline/emoji.ts';
import { findHeadingIds, type HeadingId, setHeadingId } from './inline/heading-ids.ts';
import { findImageAttributes } from './inline/image-attributes.ts';
import { findMath } from './inline/math.ts';
import { rememberLosses } from './losses.ts';
import { dropOverlaps, ESCAPE_MASK, HAS_MASK, isEscaped, MASK, maskPieces, type Piece, type Span } from './spans.ts';
import { readFigure } from './templates/shortcodes.ts';
import { findTemplateTags } from './templates/template-tags.ts';
import { findToolMarks } from './tool-marks.ts';

/** A text that does not match has nothing to mask. */
export const MAY_CONTAIN_DIALECT =
  /[$]|\\[([:{]|="|[ \t]=[\dx]|%%|==|[ \t]\^|\[\[|\[_?toc|\{[{%:#]|\)\{|@\[|:::|!!!|\?\?\?/i;

interface Found {
  pieces: Piece[];
  ids: HeadingId[];
  containers: Container[];
}

export function parseDialects(body: string, parse: (text: string) => Root): Root {
  let tree = parse(body);
  let found: Found = { pieces: [], ids: [], containers: [] };
  if (MAY_CONTAIN_DIALECT.test(body) && !HAS_MASK.test(body)) {
    const code = listCode(tree);
    found = findPieces(body, (offset) => !isWithin(code, offset));
    if (found.pieces.length > 0) ({ tree, found } = parseMasked(body, found, parse));
  }
  groupContainers(tree, found.containers);
  const fences = adaptNodes(tree, body, [...found.ids]);
  rememberLosses(tree, [...found.pieces, ...fences], body);
  return tree;
}

/** `isText` returns false inside code, where nothing is masked. */
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

/** Pieces inside an address or another field that is no text are not masked. */
function parseMasked(body: string, found: Found, parse: (text: string) => Root): { tree: Root; found: Found } {
  let { pieces } = found;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const tree = parse(maskPieces(body, pieces));
    unlinkMasked(tree);
    const misplaced = listMisplaced(tree);
    if (misplaced.length === 0) {
      restorePieces(tree, pieces);
      return { tree, found: { ...found, pieces } };
    }
    pieces = pieces.filter(({ start, node }) => node === undefined || !isWithin(misplaced, start));
  }
  const blanks = pieces.filter(({ node }) => node === undefined);
  return { tree: parse(maskPieces(body, blanks)), found: { ...found, pieces: blanks } };
}

/** Unwraps links over a mask: GFM extends bare addresses over masked text behind them. */
function unlinkMasked(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (!('children' in node)) return undefined;
    const isMasked = (child: Nodes): boolean =>
      child.type === 'link' && child.position === undefined && HAS_MASK.test(child.url);
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
    const { children: _, position: __, ...fields } = node as Nodes & { children?: unknown };
    if (Object.values(fields).some((value) => typeof value === 'string' && HAS_MASK.test(value)))
      spans.push(...readSyntaxSpans(node));
    return undefined;
  });
  return spans.sort((a, b) => a.start - b.start);
}

/** Spans without the children. The words of a link are text, unless they are its address. */
function readSyntaxSpans(node: Nodes): Span[] {
  const { start, end } = readSpan(node);
  const children: Nodes[] = 'children' in node && !isBareLink(node) ? node.children : [];
  const [first, last] = [children[0], children.at(-1)];
  if (first?.position === undefined || last?.position === undefined) return [{ start, end }];
  return [
    { start, end: readSpan(first).start },
    { start: readSpan(last).end, end },
  ];
}

function restorePieces(tree: Root, pieces: readonly Piece[]): void {
  const nodes = pieces.flatMap(({ node }) => (node === undefined ? [] : [node]));
  let at = 0;
  const split = (text: Text): PhrasingContent[] => {
    if (!HAS_MASK.test(text.value)) return [text];
    const parts: PhrasingContent[] = [];
    let from = 0;
    for (const { 0: mark, index } of text.value.matchAll(MASK)) {
      if (index > from) parts.push({ ...text, value: text.value.slice(from, index) });
      const node = nodes[at];
      at += 1;
      // A tag gets no position: readers of an HTML node use the source at its position.
      const isPlaced = text.position !== undefined && node?.type !== 'html';
      if (node !== undefined) parts.push(isPlaced ? { ...node, position: text.position } : node);
      from = index + mark.length;
    }
    if (from < text.value.length) parts.push({ ...text, value: text.value.slice(from) });
    return parts;
  };
  // Source order: a link before a text precedes the text, whatever their depth.
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

/** True for a bare address: its words are its only source. */
function isBareLink({ type, data }: Nodes): boolean {
  return type === 'link' && !(data !== undefined && 'destination' in data);
}

function adaptNodes(tree: Root, body: string, ids: HeadingId[]): Piece[] {
  const fencesWithLoss: Piece[] = [];
  walkTree<Nodes>(tree, (node) => {
    // A bare address is shown unchanged.
    if (isBareLink(node)) return 'skip';
    if (node.type === 'text') node.value = replaceEmojiCodes(node.value);
    else if (node.type === 'blockquote') readAlert(node);
    else if (node.type === 'heading' && ids.length > 0) setHeadingId(node, body, ids);
    else if (node.type === 'paragraph') unwrapPercentEmbeds(node.children);
    else if (node.type === 'code' && node.position !== undefined) {
      const loss = findFenceLoss(node);
      if (loss !== undefined) fencesWithLoss.push({ ...readSpan(node), loss });
    }
    if ('children' in node) adaptBlocks(node);
    return undefined;
  });
  return fencesWithLoss;
}

/** Shows file names above their code, and turns displays that stand alone into blocks. */
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

/** Code between marks. MDX has no indented code. */
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

/** `spans` are sorted and do not overlap. */
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

/** Removes the marks around such addresses, in place. */
function unwrapPercentEmbeds(nodes: PhrasingContent[]): void {
  for (const [index, link] of nodes.entries()) {
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (link.type !== 'link' || before?.type !== 'text' || after?.type !== 'text') continue;
    if (!before.value.endsWith('%[') || !after.value.startsWith(']')) continue;
    before.value = before.value.slice(0, -2);
    after.value = after.value.slice(1);
  }
}

const ESCAPE = /\\(?::(?=[a-z0-9_+-]{1,40}:)|(?<=%\\)\[|\[(?=![a-z]{3,20}[\]|])|\{(?=%))/gi;

function findEscapes(text: string): Piece[] {
  return [...text.matchAll(ESCAPE)].flatMap(({ 0: mark, index }): Piece[] => {
    if (isEscaped(text, index)) return [];
    return [{ start: index, end: index + mark.length, node: buildSign(mark.charAt(1)), mask: ESCAPE_MASK }];
  });
}

/** Liquid tags are read after neighbouring texts are merged, so a brace needs an element. */
function buildSign(value: string): PhrasingContent {
  const text: PhrasingContent = { type: 'text', value };
  return value === '{' ? { type: 'emphasis', children: [text], data: { hName: 'span' } } : text;
}
