/** Percent escapes in a part of an address. */

/** The text with its percent escapes decoded, or unchanged if one of them is invalid (a stray percent sign). */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
