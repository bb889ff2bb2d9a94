/** Reads one line of Markdown by columns. A tab ends at the next multiple of four. */
import type { Span } from './block-types.ts';

/** The lines of a document, without line endings. */
export function* splitLines(source: string): Generator<Span> {
  let start = 0;
  while (start < source.length) {
    const newline = source.indexOf('\n', start);
    const next = newline === -1 ? source.length : newline + 1;
    const hasReturn = newline > start && source[newline - 1] === '\r';
    yield { start, end: newline === -1 ? next : newline - (hasReturn ? 1 : 0) };
    start = next;
  }
}

export class LineCursor {
  readonly source: string;
  readonly end: number;
  position: number;
  #column = 0;
  /** Unused columns of a tab before `position`. */
  #spare = 0;

  constructor(source: string, line: Span) {
    this.source = source;
    this.end = line.end;
    this.position = line.start;
  }

  /** Columns of white space at `position`. */
  indent(): number {
    let column = this.#column + this.#spare;
    for (let at = this.position; at < this.end; at += 1) {
      if (this.source[at] === ' ') column += 1;
      else if (this.source[at] === '\t') column += 4 - (column % 4);
      else break;
    }
    return column - this.#column;
  }

  /** The end of the white space at `position`. */
  contentStart(): number {
    let at = this.position;
    while (at < this.end && (this.source[at] === ' ' || this.source[at] === '\t')) at += 1;
    return at;
  }

  isBlank(): boolean {
    return this.contentStart() === this.end;
  }

  /** Skips at most `columns` columns of white space. */
  skipColumns(columns: number): void {
    let remaining = columns;
    while (remaining > 0) {
      if (this.#spare === 0) {
        const character = this.position < this.end ? this.source[this.position] : undefined;
        if (character !== ' ' && character !== '\t') return;
        this.#spare = character === '\t' ? 4 - (this.#column % 4) : 1;
        this.position += 1;
      }
      const used = Math.min(remaining, this.#spare);
      this.#spare -= used;
      this.#column += used;
      remaining -= used;
    }
  }

  /** Moves past characters that are not white space. */
  skipCharacters(count: number): void {
    this.position += count;
    this.#column += count;
  }

  /** The rest of the line from the first character that is not white space. */
  rest(): string {
    return this.source.slice(this.contentStart(), this.end);
  }
}
