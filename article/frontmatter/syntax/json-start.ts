/** Distinguishes JSON frontmatter from MDX, Liquid and prose that begin with a brace. */
import { hasFieldLine } from '../field-line.ts';

/** True for `{ "key":`, and for `{ title:`, which is rejected later because keys need quotes. */
export function isJsonStart(text: string): boolean {
  if (/^\s{0,3}\{\s*"(?:[^"\\\n]|\\.){1,200}"\s*:/.test(text)) return true;
  const key = /^\s{0,3}\{\s*['"]?([\w-]{1,60})['"]?\s*:/.exec(text)?.[1];
  return key !== undefined && hasFieldLine(`${key}:`);
}

/** The offset after the object's closing brace; null if it is never closed. */
export function findJsonEnd(text: string): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
