/**
 * V8 keeps a program's text whole for as long as it runs, at one byte a character, or at two where a single character is beyond ASCII. A bundle writes
 * such characters as escapes; esbuild does so itself, but for regular expressions and templates with a tag, whose raw text a tag could ask for.
 */

/** What `\` stands before is a character of its own where it is not escaped itself. */
const BEYOND_ASCII = /(?<escapes>\\*)(?<character>[^\p{ASCII}])/gu;
const RAW_TEMPLATE = /\.raw`[^`]*[^\p{ASCII}`]/u;

/** `text` is JavaScript. Throws where an escape would mean something else. */
export function writeOneByte(text: string): string {
  const raw = RAW_TEMPLATE.exec(text);
  if (raw) throw new Error(`a raw template has characters beyond ASCII: ${raw[0]}`);
  return text.replaceAll(BEYOND_ASCII, (_, escapes: string, character: string) => {
    const kept = escapes.length % 2 === 0 ? escapes : escapes.slice(1);
    return kept + Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join('');
  });
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
