/** Failures of this room that callers tell apart by `code`. */

/** The document would take more time, depth or memory than one author may have. A 422 over REST. */
export class TooComplexError extends Error {
  readonly code = 'too_complex';
  /** Line of the document where the bound was passed, where it is known. Counts from 1. */
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

/** Too deep a nesting ends in V8's RangeError; that is a verdict on the document, not a fault of ours. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
