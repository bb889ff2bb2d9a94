/** Finds the positions of tags and comments in raw HTML like an HTML parser. Takes linear time. */

export interface HtmlToken {
  /** `loose`: starts like markup, but is shown as text (`<?php`, `<!--` without an end). */
  kind: 'start' | 'end' | 'comment' | 'loose';
  /** In lower case; empty for comments and loose markup. */
  name: string;
  start: number;
  end: number;
  /** For start tags: `<video />`. */
  isSelfClosing: boolean;
}

/** HTML parsers read the contents of these elements as text. */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'script style xmp iframe noembed noframes title textarea'.split(' '),
);

/** Returns the tokens in order. Skips the contents of closed raw-text elements. */
export function scanTags(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  const scanner = new TagScanner(html);
  for (let at = html.indexOf('<'); at !== -1; ) {
    const token = scanner.read(at);
    if (token !== null) tokens.push(token);
    const next = token?.end ?? at + 1;
    at = html.indexOf('<', token === null ? next : scanner.findContentEnd(token));
  }
  return tokens;
}

/** Returns the text of an element from its inner HTML, without tags and comments. */
export function getInnerText(name: string, html: string): string {
  if (RAW_TEXT_ELEMENTS.has(name)) return html;
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of scanTags(html)) {
    if (kind === 'loose') continue;
    parts.push(html.slice(from, start), ' ');
    from = end;
  }
  return parts.join('') + html.slice(from);
}

/** An attribute with a value. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** Offsets of the value, without quotes. */
  start: number;
  end: number;
  isQuoted: boolean;
}

/** Returns the attributes of a start tag that have a value, in order. */
export function listAttributes(html: string, { start: tagStart, end }: HtmlToken): HtmlAttribute[] {
  const attributes: HtmlAttribute[] = [];
  let at = skip(GAP, html, skip(NAME, html, tagStart));
  while (at < end - 1) {
    const { attribute, next } = readAttribute(html, at);
    if (attribute !== null) attributes.push(attribute);
    at = skip(GAP, html, next);
  }
  return attributes;
}

/** Returns the token at the start of `html`; null if `html` starts with text. */
export function readTag(html: string): HtmlToken | null {
  return new TagScanner(html).read(0);
}

const SPACE = '[\\t\\n\\f\\r ]';
const NAME = /<\/?([a-z][^\t\n\f\r />]*)/iy;
const GAP = /[\t\n\f\r /]*/y;
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y;
const EQUALS = new RegExp(`${SPACE}*=${SPACE}*`, 'y');
const BARE_VALUE = /[^\t\n\f\r >]*/y;
const COMMENT_END = /--!?>/g;

class TagScanner {
  readonly #html: string;
  /** Offsets of attribute lists without a closing `>`; cached to keep scanning linear. */
  readonly #endless = new Set<number>();
  /** Strings known not to occur after the current offset. */
  readonly #missing = new Set<string>();

  constructor(html: string) {
    this.#html = html;
  }

  /** Null for a `<` that is text. */
  read(start: number): HtmlToken | null {
    const html = this.#html;
    const name = matchAt(NAME, html, start)?.[1];
    if (name !== undefined) return this.#readTag(start, name);
    if (html.startsWith('<!--', start)) return this.#readComment(start);
    if (/^<!doctype/i.test(html.slice(start, start + 9))) {
      const end = this.#find('>', start);
      return end === -1 ? loosen(start) : { ...loosen(start), kind: 'comment', end: end + 1 };
    }
    return /[!?/]/.test(html.charAt(start + 1)) ? loosen(start) : null;
  }

  /** Offset at which scanning resumes. */
  findContentEnd({ kind, name, end, isSelfClosing }: HtmlToken): number {
    if (kind !== 'start' || isSelfClosing || !RAW_TEXT_ELEMENTS.has(name) || this.#missing.has(name)) return end;
    const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
    close.lastIndex = end;
    const found = close.exec(this.#html);
    if (found === null) this.#missing.add(name);
    return found?.index ?? end;
  }

  #readTag(start: number, name: string): HtmlToken {
    const isEnd = this.#html.charAt(start + 1) === '/';
    const tag = this.#readAttributes(start + name.length + (isEnd ? 2 : 1));
    if (tag === null) return loosen(start);
    return { kind: isEnd ? 'end' : 'start', name: name.toLowerCase(), start, ...tag };
  }

  #readAttributes(from: number): Pick<HtmlToken, 'end' | 'isSelfClosing'> | null {
    const html = this.#html;
    const visited: number[] = [];
    for (let at = from; at < html.length && !this.#endless.has(at); ) {
      visited.push(at);
      const gap = at;
      at = skip(GAP, html, at);
      if (html.charAt(at) === '>') return { end: at + 1, isSelfClosing: at > gap && html.charAt(at - 1) === '/' };
      at = readAttribute(html, at).next;
    }
    for (const at of visited) this.#endless.add(at);
    return null;
  }

  #readComment(start: number): HtmlToken {
    const short = /^<!--(-?>)/.exec(this.#html.slice(start, start + 6))?.[0];
    if (short !== undefined) return { ...loosen(start), kind: 'comment', end: start + short.length };
    if (this.#missing.has('--')) return loosen(start);
    COMMENT_END.lastIndex = start + 4;
    const end = COMMENT_END.exec(this.#html);
    if (end !== null) return { ...loosen(start), kind: 'comment', end: end.index + end[0].length };
    this.#missing.add('--');
    return loosen(start);
  }

  #find(mark: string, from: number): number {
    if (this.#missing.has(mark)) return -1;
    const at = this.#html.indexOf(mark, from);
    if (at === -1) this.#missing.add(mark);
    return at;
  }
}

/** `next` is the offset after the attribute; `attribute` is null if it has no value. */
function readAttribute(html: string, at: number): { attribute: HtmlAttribute | null; next: number } {
  const nameEnd = skip(ATTRIBUTE_NAME, html, at);
  const valueAt = skip(EQUALS, html, nameEnd);
  if (valueAt === nameEnd) return { attribute: null, next: nameEnd };
  const name = html.slice(at, nameEnd).toLowerCase();
  const quote = html.charAt(valueAt);
  if (quote !== '"' && quote !== "'") {
    const end = skip(BARE_VALUE, html, valueAt);
    return { attribute: { name, start: valueAt, end, isQuoted: false }, next: end };
  }
  const close = html.indexOf(quote, valueAt + 1);
  const end = close === -1 ? html.length : close;
  return { attribute: { name, start: valueAt + 1, end, isQuoted: true }, next: Math.min(end + 1, html.length) };
}

function loosen(start: number): HtmlToken {
  return { kind: 'loose', name: '', start, end: start + 1, isSelfClosing: false };
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function skip(sticky: RegExp, text: string, at: number): number {
  return at + (matchAt(sticky, text, at)?.[0].length ?? 0);
}
