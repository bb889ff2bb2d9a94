/**
 * Reads JSON from other servers, with a limit on its values. Millions of empty objects fit into a
 * response within its byte limit, and parsing them blocks the process for half a minute.
 */

/** A thousand articles, the longest list that is requested, have some 60,000. */
const MAX_PARTS = 200_000;
/** Smaller responses are parsed in a few milliseconds, whatever they contain. */
const UNCHECKED_BYTES = 64 * 1024;

/** Undefined if it is not JSON, or contains too many values. */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length > UNCHECKED_BYTES && hasTooManyParts(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Counts opening brackets and commas outside of strings. */
function hasTooManyParts(bytes: Buffer): boolean {
  let parts = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) {
      isString = true;
    } else if (byte === COMMA || byte === BRACE || byte === BRACKET) {
      parts += 1;
      if (parts > MAX_PARTS) return true;
    }
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];
