/**
 * Decodes the bytes of a feed. What a server says of the encoding and what the document says of itself are often both wrong, so the first of
 * them is taken in which the bytes make sense, in the order of RFC 7303: byte order mark, Content-Type, XML declaration.
 */

export interface DecodedFeed {
  text: string;
  /** It makes sense in no encoding that was named, and was read as windows-1252, in which everything does. */
  isGuessed: boolean;
}

/** Never throws. */
export function decodeFeed(bytes: Uint8Array, contentType: string): DecodedFeed {
  const marked = readMark(bytes);
  const claimed = [readCharset(contentType), guessWide(bytes), readDeclaration(bytes), 'utf-8'];
  const candidates = marked === null ? claimed : [marked];
  for (const label of candidates) {
    const text = label === null ? null : decode(bytes, label);
    if (text !== null) return { text, isGuessed: false };
  }
  return { text: new TextDecoder(marked ?? 'windows-1252').decode(bytes), isGuessed: true };
}

function decode(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // Bytes that are not in this encoding, or a name that no encoding has.
    return null;
  }
}

function readMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function readCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? null;
}

/** A document begins with `<` or `{`. */
function guessWide([first, second]: Uint8Array): string | null {
  const begins = (byte: number | undefined) => byte === 0x3c || byte === 0x7b;
  if (begins(first) && second === 0) return 'utf-16le';
  return first === 0 && begins(second) ? 'utf-16be' : null;
}

function readDeclaration(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? null;
}
