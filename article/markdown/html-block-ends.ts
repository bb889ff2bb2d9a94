/**
 * CommonMark lets `<script>`, `<pre>`, `<!--` and the like at the start of a line take everything up to their end, which is the rest of the document
 * where they have none. Here such a line begins no block of HTML: the tag stands in a paragraph, and what follows is Markdown.
 */
import { readTag } from './html-tags.ts';

const RAW = /<(script|pre|style|textarea)(?=[\t\n\r >]|$)/iy;
const MARKED: readonly { start: string; end: string }[] = [
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<!', end: '>' },
];
/** A self-closing tag is no longer than this. Anything longer is read as CommonMark reads it. */
const MAX_TAG_LENGTH = 1_000;

/** For one source, by positions in it, in any order; in time that grows with the source. */
export class HtmlBlockEnds {
  readonly #source: string;
  /** The last look for each mark: nothing is between `from` and `at`. */
  readonly #looks = new Map<string, { from: number; at: number; isEnd: boolean }>();

  constructor(source: string) {
    this.#source = source;
  }

  /** False where a `<` begins what has no end, or an empty element: no block of HTML begins there. */
  canBegin(start: number): boolean {
    RAW.lastIndex = start;
    const name = RAW.exec(this.#source)?.[1]?.toLowerCase();
    if (name !== undefined) return !this.#isSelfClosing(start) && this.#isClosed(name, start);
    const marked = MARKED.find((mark) => this.#source.startsWith(mark.start, start));
    return marked === undefined || this.#find(marked.end, start + 2).at !== Number.POSITIVE_INFINITY;
  }

  #isSelfClosing(start: number): boolean {
    return readTag(this.#source.slice(start, start + MAX_TAG_LENGTH))?.isSelfClosing === true;
  }

  /** A line that begins with the same tag says that the one before was only mentioned. */
  #isClosed(name: string, start: number): boolean {
    return this.#find(name, start + 1, new RegExp(`^[ \\t>]*<${name}(?=[\\s>])|</${name}>`, 'gim')).isEnd;
  }

  #find(mark: string, from: number, pattern?: RegExp): { at: number; isEnd: boolean } {
    const known = this.#looks.get(mark);
    if (known !== undefined && from >= known.from && from <= known.at) return known;
    const look = { from, at: Number.POSITIVE_INFINITY, isEnd: false };
    if (pattern === undefined) {
      const at = this.#source.indexOf(mark, from);
      if (at !== -1) Object.assign(look, { at, isEnd: true });
    } else {
      pattern.lastIndex = from;
      const found = pattern.exec(this.#source);
      if (found !== null) Object.assign(look, { at: found.index, isEnd: found[0].startsWith('</') });
    }
    this.#looks.set(mark, look);
    return look;
  }
}
