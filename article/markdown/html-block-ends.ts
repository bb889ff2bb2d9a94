/**
 * In CommonMark, an unclosed `<script>`, `<pre>` or `<!--` extends to the end of the document. Here
 * it does not start an HTML block.
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

/** Positions can be queried in any order; total time is linear. */
export class HtmlBlockEnds {
  readonly #source: string;
  /** The last look for each mark: nothing is between `from` and `at`. */
  readonly #looks = new Map<string, { from: number; at: number; isEnd: boolean }>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Whether an HTML block may start here. */
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

  /** A second start tag before the end tag means that the first is only mentioned in text. */
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
