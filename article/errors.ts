/** Errors of this folder, which callers tell apart by `code`. */

/** The document would take more time, depth or memory than one author may use. A 422 over REST. */
export class TooComplexError extends Error {
  readonly code = 'too_complex';
  /** The line of the document where the limit was exceeded, if known. Counts from 1. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = 'TooComplexError';
    this.line = line;
  }
}

/** The bytes are not text in UTF-8 or UTF-16. `offset` counts bytes from 0, `line` from 1. */
export class InvalidTextError extends Error {
  readonly code = 'invalid_text';
  readonly offset: number;
  readonly line: number;

  constructor(message: string, offset: number, line: number) {
    super(message);
    this.name = 'InvalidTextError';
    this.offset = offset;
    this.line = line;
  }
}

/** Nesting that is too deep ends in a RangeError of V8, which means that the document is refused, not that we failed. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
