/** Decodes files as editors save them: UTF-8 and UTF-16, with or without byte order mark. */
import { InvalidTextError } from '../errors.ts';

/** The text, without its byte order mark. Throws `InvalidTextError` if the bytes are not text. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // The decoder reports no position, and the author of a long file needs the line.
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    const before = encoding === 'utf-8' ? text.slice(0, text.indexOf('\ufffd')) : text;
    const offset = encoding === 'utf-8' ? new TextEncoder().encode(before).length : bytes.length;
    const line = before.split('\n').length;
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
