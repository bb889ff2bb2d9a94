/**
 * Closes raw HTML within its own block, so that no element contains the text that follows. A tag
 * without a partner ends with its block or is shown as text.
 */
import { articleSchema } from '../../render/sanitise-schema.ts';
import { type HtmlToken, scanTags } from './html-tags.ts';

export interface HtmlPiece {
  value: string;
  /** A block of HTML; false for a tag within a line of Markdown. */
  isBlock: boolean;
  /** A `CONFINED` element can be closed only by an end tag of the same scope. */
  scope: number;
}

export interface ClosedHtml {
  /** Offsets in the value of a piece. */
  edits: { piece: number; start: number; end: number; text: string }[];
  /** End tags to append to the paragraph, heading or cell of a piece. */
  tails: { piece: number; text: string }[];
  /** Elements that readers do not see, from start tag to end tag; none is inside another. */
  hidden: { name: string; from: HtmlPosition; to: HtmlPosition }[];
  /** Start tags that are not shown as text. */
  tags: (HtmlPosition & { name: string })[];
}

interface HtmlPosition {
  piece: number;
  offset: number;
}

const list = (names: string): string[] => names.split(' ');

/** Elements that the page removes with their contents, or replaces by a link. */
const HIDDEN: ReadonlySet<string> = new Set([...(articleSchema.strip ?? []), ...list('iframe video audio')]);
/** Elements that cannot contain paragraphs. Unclosed, they would hide or flatten later text. */
const CONFINED: ReadonlySet<string> = new Set([...HIDDEN, ...list('title textarea select applet')]);
const VOID: ReadonlySet<string> = new Set(
  list('area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'),
);
/** Elements with an optional end tag: their next sibling or their parent ends them. */
const IMPLIED: ReadonlySet<string> = new Set(
  list('p li dt dd tr td th thead tbody tfoot colgroup caption rt rp option optgroup'),
);
/** Inline elements. Unclosed within a line they end with their paragraph; others are text. */
const PHRASING: ReadonlySet<string> = new Set([
  ...list('a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark nobr q ruby s samp small span'),
  ...list('strike strong sub sup time tt u var'),
]);
/** Elements that articles do not have; their contents are shown. */
const TRANSPARENT = list(
  `address article aside body center fieldset footer form header hgroup html label legend main menu nav`,
);
const KNOWN: ReadonlySet<string> = new Set([
  ...(articleSchema.tagNames ?? []),
  ...PHRASING,
  ...IMPLIED,
  ...TRANSPARENT,
]);

/** Pieces are in the order of the document. */
export function closeHtml(pieces: readonly HtmlPiece[]): ClosedHtml {
  const closing = new Closing(pieces);
  for (const [index, { value }] of pieces.entries()) for (const token of scanTags(value)) closing.read(index, token);
  return closing.finish();
}

interface OpenTag {
  piece: number;
  token: HtmlToken;
  /** Position among all start tags. */
  order: number;
}

class Closing {
  readonly #pieces: readonly HtmlPiece[];
  readonly #open = new Map<string, OpenTag[]>();
  readonly #closed: ClosedHtml = { edits: [], tails: [], hidden: [], tags: [] };
  #order = 0;

  constructor(pieces: readonly HtmlPiece[]) {
    this.#pieces = pieces;
  }

  read(piece: number, token: HtmlToken): void {
    if (token.kind === 'loose') this.#showAsText(piece, token);
    else if (token.kind === 'end') this.#readEnd(piece, token);
    else if (token.kind === 'start') this.#readStart(piece, token);
  }

  finish(): ClosedHtml {
    const unclosed = [...this.#open.values()].flat().sort((a, b) => b.order - a.order);
    for (const tag of unclosed) this.#endWithBlock(tag);
    const { hidden, tags } = this.#closed;
    tags.sort(comparePositions);
    return { ...this.#closed, hidden: listOutermost(hidden) };
  }

  #readStart(piece: number, token: HtmlToken): void {
    const { name, start, end } = token;
    this.#order += 1;
    if (name === 'plaintext') this.#showAsText(piece, token);
    else if (VOID.has(name)) this.#closed.tags.push({ name, piece, offset: start });
    else if (token.isSelfClosing) {
      this.#closed.tags.push({ name, piece, offset: start });
      this.#closed.edits.push({ piece, start: end - 2, end, text: `></${name}>` });
    } else {
      const open = this.#open.get(name);
      const tag = { piece, token, order: this.#order };
      if (open === undefined) this.#open.set(name, [tag]);
      else open.push(tag);
    }
  }

  #readEnd(piece: number, token: HtmlToken): void {
    const { name } = token;
    const open = this.#open.get(name);
    const tag = open?.at(-1);
    if (tag === undefined || (CONFINED.has(name) && this.#scopeOf(tag.piece) !== this.#scopeOf(piece))) {
      if (name === 'plaintext' || isShownAsText(name, true)) this.#showAsText(piece, token);
      return;
    }
    open?.pop();
    this.#endWithin(tag.order);
    this.#addTag(tag);
    const from = { piece: tag.piece, offset: tag.token.end };
    if (HIDDEN.has(name)) this.#closed.hidden.push({ name, from, to: { piece, offset: token.start } });
    if (name === 'script' && tag.piece === piece) this.#breakComments(from, token.start);
  }

  /** After `<!--` and `<script`, an HTML parser ends a script only at its second end tag. */
  #breakComments({ piece, offset }: HtmlPosition, end: number): void {
    const content = this.#pieces[piece]?.value.slice(offset, end) ?? '';
    if (!/<script/i.test(content)) return;
    for (const { index } of content.matchAll(/<!--/g)) {
      const start = offset + index;
      this.#closed.edits.push({ piece, start, end: start + 4, text: '<! --' });
    }
  }

  /** Ends elements that were opened after the start tag with this order. */
  #endWithin(order: number): void {
    for (const name of ENDING_WITHIN) {
      const open = this.#open.get(name);
      for (let tag = open?.at(-1); tag !== undefined && tag.order > order; tag = open?.at(-1)) {
        open?.pop();
        if (IMPLIED.has(name)) this.#addTag(tag);
        else this.#showAsText(tag.piece, tag.token);
      }
    }
  }

  #endWithBlock(tag: OpenTag): void {
    const { piece, token } = tag;
    const { isBlock, value } = this.#pieces[piece] as HtmlPiece;
    if (isShownAsText(token.name, isBlock)) {
      this.#showAsText(piece, token);
      return;
    }
    this.#addTag(tag);
    const text = `</${token.name}>`;
    if (token.name === 'p') return;
    if (isBlock) this.#closed.edits.push({ piece, start: value.length, end: value.length, text });
    else this.#closed.tails.push({ piece, text });
  }

  #addTag({ piece, token }: OpenTag): void {
    this.#closed.tags.push({ name: token.name, piece, offset: token.start });
  }

  #showAsText(piece: number, { start, end }: HtmlToken): void {
    const tag = this.#pieces[piece]?.value.slice(start, end) ?? '';
    this.#closed.edits.push({ piece, start, end, text: escapeSigns(tag) });
  }

  #scopeOf(piece: number): number | undefined {
    return this.#pieces[piece]?.scope;
  }
}

const ENDING_WITHIN = [...IMPLIED, ...CONFINED];

function isShownAsText(name: string, isBlock: boolean): boolean {
  if (CONFINED.has(name)) return true;
  return isBlock ? !KNOWN.has(name) : !PHRASING.has(name) && !IMPLIED.has(name);
}

/** Escapes signs that are marks in HTML or Markdown. Both read character references alike. */
function escapeSigns(text: string): string {
  return text.replace(/[&<>*_`~|[\]\\]/g, (sign) => NAMED[sign] ?? `&#${sign.charCodeAt(0)};`);
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function listOutermost(hidden: ClosedHtml['hidden']): ClosedHtml['hidden'] {
  const outermost: ClosedHtml['hidden'] = [];
  for (const element of hidden.sort((a, b) => comparePositions(a.from, b.from))) {
    const last = outermost.at(-1);
    if (last === undefined || comparePositions(element.from, last.to) >= 0) outermost.push(element);
  }
  return outermost;
}

function comparePositions(a: HtmlPosition, b: HtmlPosition): number {
  return a.piece - b.piece || a.offset - b.offset;
}
