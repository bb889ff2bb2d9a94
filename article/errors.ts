/** Errors of this folder. Callers distinguish them by `code`. */

/** The document exceeds the time, depth or memory of one author. A 422 over REST. */
export class TooComplexError extends Error {
  readonly code = 'too_complex';
  /** The line, from 1, on which the document exceeds the limit, if known. */
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

/** Excessive nesting causes a RangeError of V8. It rejects the document; nothing has failed. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
