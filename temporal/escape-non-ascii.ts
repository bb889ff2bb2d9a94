/**
 * Escapes non-ASCII characters in a bundle. V8 holds a program's text in memory: one byte per
 * character for ASCII text, otherwise two. esbuild escapes all but regular expressions and tagged
 * templates.
 */

/** An odd number of backslashes means that the last one escapes the character. */
const BEYOND_ASCII = /(?<escapes>\\*)(?<character>[^\p{ASCII}])/gu;
const RAW_TEMPLATE = /\.raw`[^`]*[^\p{ASCII}`]/u;

/** `text`: JavaScript. Throws if an escape would change its meaning. */
export function escapeNonAscii(text: string): string {
  const raw = RAW_TEMPLATE.exec(text);
  if (raw) throw new Error(`a raw template has characters beyond ASCII: ${raw[0]}`);
  return text.replaceAll(BEYOND_ASCII, (_, escapes: string, character: string) => {
    const prefix = escapes.length % 2 === 0 ? escapes : escapes.slice(1);
    return prefix + Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join('');
  });
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
