/**
 * In CommonMark, an unclosed `<script>`, `<pre>` or `<!--` extends to the end. Here it starts no
 * HTML block, and a `<script>` or `<style>` in one includes its blank lines.
 */
import { readTag } from './html-tags.ts';

/** At the start of a line within a block. */
const SCRIPT_OR_STYLE = /^[ \t>]*<(script|style)(?=[\t\n\r >])/gim;
const RAW_NAMES = ['script', 'pre', 'style', 'textarea'];
const RAW_ENDS = new Map(RAW_NAMES.map((name) => [name, new RegExp(`^[ \\t>]*<${name}(?=[\\s>])|</${name}>`, 'gim')]));
const RAW = new RegExp(`<(${RAW_NAMES.join('|')})(?=[\\t\\n\\r >]|$)`, 'iy');
const MARKED: readonly { start: string; end: string }[] = [
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<!', end: '>' },
];
/** Longer tags are not recognised as self-closing. */
const MAX_TAG_LENGTH = 1_000;

/** Positions can be queried in any order; total time is linear. */
export class HtmlBlockEnds {
  readonly #source: string;
  /** The last search for each mark, which does not occur between `from` and `at`. */
  readonly #looks = new Map<string, { from: number; at: number; isEnd: boolean }>();
  /** The last `<script>` or `<style>` around a blank line. */
  #lastScript = { from: 0, to: 0 };

  constructor(source: string) {
    this.#source = source;
  }

  /** True if an HTML block may start here. */
  canBegin(start: number): boolean {
    RAW.lastIndex = start;
    const name = RAW.exec(this.#source)?.[1]?.toLowerCase();
    if (name !== undefined) return !this.#isSelfClosing(start) && this.#findRawEnd(name, start).isEnd;
    const marked = this.#findMark(start);
    // HTML has no other declaration. As a block, it would contain tags of later blocks up to `>`.
    if (marked?.start === '<!' && !/^<!doctype/i.test(this.#source.slice(start, start + 9))) return false;
    return marked === undefined || this.#find(marked.end, start + 2).at !== Number.POSITIVE_INFINITY;
  }

  /** True if a blank line outside `<script>` and `<style>` ends the HTML block at `start`. */
  isEndedByBlankLine(start: number): boolean {
    RAW.lastIndex = start;
    return !RAW.test(this.#source) && this.#findMark(start) === undefined;
  }

  /** True if the blank line at `blank` ends the block; false within `<script>` or `<style>`. */
  canEnd(start: number, blank: number): boolean {
    const { from, to } = this.#lastScript;
    if (from <= blank && blank < to) return false;
    const begin = start <= from && to <= blank ? to : start;
    for (const { index, 0: line, 1: name = '' } of this.#source.slice(begin, blank).matchAll(SCRIPT_OR_STYLE)) {
      const tag = begin + index + line.lastIndexOf('<');
      const end = this.#findRawEnd(name.toLowerCase(), tag);
      if (!end.isEnd || end.at < blank || this.#isSelfClosing(tag)) continue;
      this.#lastScript = { from: tag, to: end.at };
      return false;
    }
    return true;
  }

  #findMark(start: number): (typeof MARKED)[number] | undefined {
    return MARKED.find((mark) => this.#source.startsWith(mark.start, start));
  }

  #isSelfClosing(start: number): boolean {
    return readTag(this.#source.slice(start, start + MAX_TAG_LENGTH))?.isSelfClosing === true;
  }

  /** A second start tag before the end tag means that the first is only mentioned in text. */
  #findRawEnd(name: string, start: number): { at: number; isEnd: boolean } {
    return this.#find(name, start + 1, RAW_ENDS.get(name));
  }

  #find(mark: string, from: number, pattern?: RegExp): { at: number; isEnd: boolean } {
    const known = this.#looks.get(mark);
    if (known !== undefined && from >= known.from && from <= known.at) return known;
    const search = { from, at: Number.POSITIVE_INFINITY, isEnd: false };
    if (pattern === undefined) {
      const at = this.#source.indexOf(mark, from);
      if (at !== -1) Object.assign(search, { at, isEnd: true });
    } else {
      pattern.lastIndex = from;
      const found = pattern.exec(this.#source);
      if (found !== null) Object.assign(search, { at: found.index, isEnd: found[0].startsWith('</') });
    }
    this.#looks.set(mark, search);
    return search;
  }
}
