/**
 * Decodes a feed in the first encoding in which its bytes are valid, in the order of RFC 7303: byte
 * order mark, Content-Type, XML declaration. Many name a wrong one.
 */

export interface DecodedFeed {
  text: string;
  /** The bytes are invalid in every named encoding and were read as windows-1252. */
  isGuessed: boolean;
}

export function decodeFeed(bytes: Uint8Array, contentType: string): DecodedFeed {
  const marked = readMark(bytes);
  const named = [readCharset(contentType), guessWide(bytes), readDeclaration(bytes), 'utf-8'];
  const candidates = marked === null ? named : [marked];
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
    // Bytes that are invalid in this encoding, or an unknown encoding.
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

/** Relies on a document beginning with `<` or `{`. */
function guessWide([first, second]: Uint8Array): string | null {
  const isStart = (byte: number | undefined) => byte === 0x3c || byte === 0x7b;
  if (isStart(first) && second === 0) return 'utf-16le';
  return first === 0 && isStart(second) ? 'utf-16be' : null;
}

function readDeclaration(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? null;
}
