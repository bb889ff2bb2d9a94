/** Decodes percent escapes in a part of an address. */

/** Returns the text unchanged if an escape is invalid (a stray percent sign). */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
