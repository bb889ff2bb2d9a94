/**
 * Recognises MDX by the file name, else by signs that only MDX has: REST gives no file name.
 * Distinguishes its imports from those in articles about Go or Dart.
 */

const MAY_BE_MDX = /^(?:import|export)\s|<[A-Z]|\{\/\*/m;
const ESM =
  /(?:^|\n\n|;\n|['"]\n)(?:import\s+(?:[\w*{][^;]*?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*(?=\n|$)|export\s+(?:const|let|var|default|function|async\s+function|class)\b)/;
/** Excludes Hugo's comments, which have two braces. */
const COMMENT = /(?<!\{)\{\/\*[\s\S]*?\*\/\}/;
/** The name has a lowercase letter: `<BR>` is old HTML. A backslash makes it text. */
const COMPONENT = /(?<!\\)<([A-Z]\w*[a-z]\w*(?:\.\w+)*)(?=[\s/>])/g;

/** The parser is quadratic in unclosed braces and tags. A text with more is read as Markdown. */
const MAX_MARKS = 5_000;
/** At a closing brace the parser reads from the first open one: a million characters in 0.1 s. */
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

function blankCode(body: string): string {
  const text = mapLines(body, { text: (line) => line, code: () => '' });
  return text.replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
}

const STATEMENT = /^(?:import\s.*['"][^'"]+['"];?\s*$|export\s+(?:const|let|default|function)\b.*;?\s*$)/;

/** Line numbers stay. Drops only statements at the start of a block and outside of code. */
export function dropModuleLines(body: string): string {
  let isBlockStart = true;
  const passThrough = (line: string): string => {
    isBlockStart = line.trim() === '';
    return line;
  };
  return mapLines(body, {
    text: (line) => (isBlockStart && STATEMENT.test(line) && !isForeignImport(line) ? '' : passThrough(line)),
    code: passThrough,
  });
}

/** Maps every line: `code` gets fences and the lines in them, `text` all others. No parser. */
function mapLines(body: string, { text, code }: Record<'text' | 'code', (line: string) => string>): string {
  let fence: string | null = null;
  const lines = body.split('\n').map((line) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker === undefined) return fence === null ? text(line) : code(line);
    if (fence === null) fence = marker;
    else if (marker.startsWith(fence)) fence = null;
    return code(line);
  });
  return lines.join('\n');
}

const IMPORT = /^import\s+(["'])([^"'\n]+)\1;?$/;
/** Packages of Go (`net/http`, `github.com/a/b`), libraries of Dart. JavaScript names imports. */
const FOREIGN = /^(?:[a-z][a-z\d]*(?:\/[a-z\d]+)*|[a-z\d-]+\.[a-z]{2,6}\/[\w./-]+|(?:dart|package):[\w./-]+)$/;

export function isForeignImport(line: string): boolean {
  const name = IMPORT.exec(line.trim())?.[2];
  return name !== undefined && FOREIGN.test(name);
}
