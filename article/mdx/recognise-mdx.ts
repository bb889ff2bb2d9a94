/** Tells MDX from Markdown: by the file's name, else by what only MDX has. Over REST there is no name. */

const MAY_BE_MDX = /^(?:import|export)\s|<[A-Z]|\{\/\*/m;
const ESM =
  /(?:^|\n\n|;\n|['"]\n)(?:import\s+(?:[\w*{][^;]*?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*(?=\n|$)|export\s+(?:const|let|var|default|function|async\s+function|class)\b)/;
const COMMENT = /\{\/\*[\s\S]*?\*\/\}/;
/** A component has a small letter in its name: `<BR>` and `<A HREF>` are HTML of old. */
const COMPONENT = /<([A-Z]\w*[a-z]\w*(?:\.\w+)*)(?=[\s/>])/g;

/** The parser is quadratic in what is left open; a text with more of these marks is read as Markdown. */
const MAX_MARKS = 5_000;

export function looksLikeMdx(body: string, fileName: string | undefined): boolean {
  const isNamed = fileName !== undefined && /\.mdx$/i.test(fileName);
  if ((!isNamed && !MAY_BE_MDX.test(body)) || countMarks(body) > MAX_MARKS) return false;
  if (isNamed) return true;
  const text = withoutCode(body);
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

/** Closed by itself or by an end tag: `Vec<String>` in prose is neither. */
function hasComponent(text: string): boolean {
  for (const match of text.matchAll(COMPONENT)) {
    const end = text.indexOf('>', match.index);
    if (end === -1) return false;
    if (text[end - 1] === '/' || text.includes(`</${match[1]}>`, end)) return true;
  }
  return false;
}

/** Code blanked out, line by line; good enough to look for signs, not to parse. */
function withoutCode(body: string): string {
  let fence: string | null = null;
  const lines = body.split('\n').map((line) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker === undefined) return fence === null ? line : '';
    if (fence === null) fence = marker;
    else if (marker.startsWith(fence)) fence = null;
    return '';
  });
  return lines.join('\n').replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
}
