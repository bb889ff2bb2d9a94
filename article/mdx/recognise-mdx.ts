/** Recognises MDX by the file name, else by signs that only MDX has: REST gives no file name. */
import { mapLines } from './code-fences.ts';
import { isForeignImport } from './foreign-imports.ts';

const MAY_BE_MDX = /^(?:import|export)\s|<[A-Z]|\{\/\*/m;
const ESM =
  /(?:^|\n\n|;\n|['"]\n)(?:import\s+(?:[\w*{][^;]*?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*(?=\n|$)|export\s+(?:const|let|var|default|function|async\s+function|class)\b)/;
/** Excludes Hugo's comments, which have two braces. */
const COMMENT = /(?<!\{)\{\/\*[\s\S]*?\*\/\}/;
/**
 * The name has a lowercase letter: `<BR>` and `<A HREF>` are old HTML. A backslash makes it text.
 */
const COMPONENT = /(?<!\\)<([A-Z]\w*[a-z]\w*(?:\.\w+)*)(?=[\s/>])/g;

/**
 * The parser is quadratic in unclosed braces and tags, so a text with more of them is read as
 * Markdown.
 */
const MAX_MARKS = 5_000;
/**
 * At each closing brace the parser reads all text from the first open one as JavaScript: a million
 * characters in a tenth of a second.
 */
const MAX_READ_AGAIN = 4_000_000;

export function looksLikeMdx(body: string, fileName: string | undefined): boolean {
  const isNamed = fileName !== undefined && /\.mdx$/i.test(fileName);
  if ((!isNamed && !MAY_BE_MDX.test(body)) || countMarks(body) > MAX_MARKS) return false;
  const prose = blankCode(body);
  if (isReadTooOften(prose)) return false;
  if (isNamed) return true;
  const text = blankForeignImports(prose);
  return ESM.test(text) || COMMENT.test(text) || hasComponent(text);
}

function countMarks(body: string): number {
  let count = 0;
  for (let i = 0; i < body.length && count <= MAX_MARKS; i += 1) {
    const code = body.charCodeAt(i);
    if (code === 0x3c || code === 0x7b) count += 1;
  }
  return count;
}

function isReadTooOften(prose: string): boolean {
  let depth = 0;
  let start = 0;
  let characters = 0;
  for (const { 0: brace, index } of prose.matchAll(/[{}]/g)) {
    if (brace === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else {
      characters += index - start;
      depth = Math.max(0, depth - 1);
    }
  }
  return characters > MAX_READ_AGAIN;
}

/** True if a component is self-closing or has an end tag; `Vec<String>` in prose has neither. */
function hasComponent(text: string): boolean {
  for (const match of text.matchAll(COMPONENT)) {
    const end = text.indexOf('>', match.index);
    if (end === -1) return false;
    if (text[end - 1] === '/' || text.includes(`</${match[1]}>`, end)) return true;
  }
  return false;
}

/** Removes import lines of another language that are not in a code fence. */
function blankForeignImports(text: string): string {
  return text.replace(/^import[ \t].*$/gm, (line) => (isForeignImport(line) ? '' : line));
}

/** Removes code, fenced and inline. */
function blankCode(body: string): string {
  const text = mapLines(body, { text: (line) => line, code: () => '' });
  return text.replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
}
