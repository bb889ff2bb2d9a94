/**
 * Escapes what the parser would read as a mark of another dialect (`{:.class}`, `%%…%%`, `:tada:`),
 * because readers of the HTML see it. Preserved formulas stay.
 */
import type { Nodes, Root } from 'mdast';
import { findEmojiCodes } from '../../dialects/inline/emoji.ts';
import { findPieces, isWithin, listCode, MAY_CONTAIN_DIALECT } from '../../dialects/parse-dialects.ts';
import { HAS_MASK, isEscaped, type Piece, type Span } from '../../dialects/spans.ts';
import { findExcess } from '../../markdown/complexity.ts';
import { getLinkDestination, parseGfm } from '../../markdown/parse-markdown.ts';
import { looksLikeMdx } from '../../mdx/recognise-mdx.ts';
import { walkTree } from '../../walk-tree.ts';
import { FORMULA } from './preserve-formulas.ts';

/** Once a mark is escaped, its end may begin another one. */
const MAX_ROUNDS = 10;
/** The start of an MDX statement. A letter cannot be escaped. */
const STATEMENT = /(?<=^|\n)[ie](?=(?:mport|xport)\s)/g;

/** Returns `markdown` unchanged if it has no such mark, or exceeds the limits of an article. */
export function escapeDialects(markdown: string): string {
  let text = markdown;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const isMdx = looksLikeMdx(text, undefined);
    const emoji = findEmojiCodes(text);
    if (
      (!isMdx && emoji.length === 0 && !MAY_CONTAIN_DIALECT.test(text)) ||
      HAS_MASK.test(text) ||
      findExcess(text) !== null
    )
      break;
    const marks = findMarks(text, { emoji, isMdx });
    if (marks.size === 0) break;
    text = insertEscapes(text, marks);
  }
  return text;
}

/** Offsets of signs that need a backslash, and of letters that need a character reference. */
function findMarks(text: string, { emoji, isMdx }: { emoji: readonly number[]; isMdx: boolean }): Set<number> {
  const tree = parseGfm(text);
  const code = listCode(tree);
  const addresses = listAddresses(tree, text);
  const isText = (offset: number): boolean => !isWithin(code, offset);
  const { pieces } = findPieces(text, isText);
  const tags = [...text.matchAll(/\{(?=%)/g)].map(({ index }) => index);
  const statements = isMdx ? [...text.matchAll(STATEMENT)].map(({ index }) => index) : [];
  const found = [...pieces.flatMap((piece) => findSign(text, piece)), ...emoji, ...tags, ...statements];
  return new Set(found.filter((at) => isText(at) && !isWithin(addresses, at) && !isEscaped(text, at)));
}

/** `pieces` also has marks that are escaped already; those begin with their backslash. */
function findSign(text: string, { start, end }: Piece): number[] {
  const mark = text.slice(start, end);
  if (FORMULA.test(mark)) return [];
  // A contents marker may begin with a list item, which stays one.
  if (/^[*+-][ \t]/.test(mark)) return [start + mark.indexOf('{:')];
  return [start + mark.search(/\S/)];
}

/** A backslash in angle brackets is literal, and marks in other addresses are not read. */
function listAddresses(tree: Root, text: string): Span[] {
  const spans: Span[] = [];
  walkTree<Nodes>(tree, (node) => {
    const start = node.position?.start.offset ?? 0;
    const destination = getLinkDestination(node);
    if (destination !== undefined) spans.push(destination);
    else if (node.type === 'link' && text[start] === '<')
      spans.push({ start, end: node.position?.end.offset ?? start });
    return undefined;
  });
  return spans.sort((a, b) => a.start - b.start);
}

function insertEscapes(text: string, marks: ReadonlySet<number>): string {
  const parts: string[] = [];
  let from = 0;
  for (const at of [...marks].sort((a, b) => a - b)) {
    const sign = text.charAt(at);
    parts.push(text.slice(from, at), /\w/.test(sign) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`);
    from = at + 1;
  }
  return parts.join('') + text.slice(from);
}
