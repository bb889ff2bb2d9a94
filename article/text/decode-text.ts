/** Decodes files as editors save them: UTF-8 and UTF-16, with or without byte order mark. */
import { InvalidTextError } from '../errors.ts';

/** The text, without its byte order mark. Throws `InvalidTextError` if the bytes are not text. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // The decoder reports no position, and the author of a long file needs the line.
    const offset = encoding === 'utf-8' ? findInvalidUtf8(bytes) : bytes.length;
    const line = countLines(bytes.subarray(0, offset));
    throw new InvalidTextError(
      `The file is not valid ${encoding.toUpperCase()} (byte ${offset}, line ${line}); save it as UTF-8 and try again.`,
      offset,
      line,
    );
  }
}

function detectEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Frontmatter begins with ASCII, so a zero in every other byte means UTF-16 without a byte order
  // mark.
  if (bytes.length >= 4 && first !== 0 && second === 0 && bytes[2] !== 0 && bytes[3] === 0) return 'utf-16le';
  if (bytes.length >= 4 && first === 0 && second !== 0 && bytes[2] === 0 && bytes[3] !== 0) return 'utf-16be';
  return 'utf-8';
}

/** Finds the longest valid prefix by binary search. Decoding is fast, and this is rarely needed. */
function findInvalidUtf8(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, middle), 'prefix')) valid = middle;
    else invalid = middle;
  }
  // An incomplete character at the end of the prefix is where the fault begins.
  while (valid > 0 && !isUtf8(bytes.subarray(0, valid), 'whole')) valid -= 1;
  return valid;
}

function isUtf8(bytes: Uint8Array, extent: 'prefix' | 'whole'): boolean {
  try {
    // `stream` accepts a character that is cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: extent === 'prefix' });
    return true;
  } catch {
    return false;
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 1;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return lines;
}
