/**
 * Reads the info strings of fences: ` ```js:src/a.js `, ` ```js title="a.js" `, ` ```{r,
 * echo=FALSE} `. Separates the language from the file name, which pages show.
 */
import type { Code } from 'mdast';
import type { Loss } from './losses.ts';

const TITLE =
  /(?:^|[\s{,])(?:title|filename|file|name)[=:][ \t]*(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'{},]{1,200}))/;
const LABEL = /(?:^|\s)\[([^\]\n]{1,200})\]/;
/** `js:src/a.js`, Gatsby's `js:title=src/a.js`, optionally followed by lines. */
const NAMED = /^([a-z][\w+#-]*):(?:title=)?([^\s:]*[./][^\s:]*|[A-Z]\w*file)(?::[\d,-]*)?$/i;
/** Pandoc, R Markdown, MyST: `{r, echo=FALSE}`, `{.python .numberLines}`, `{code-block} python`. */
const BRACED = /^\{[=.]?([a-z][\w+#-]*)/i;
const DIRECTIVES = new Set(['code', 'code-block', 'code-cell', 'sourcecode']);
/** Characters that the class of an element can hold. */
const LANGUAGE = /^[\w+#.-]+/;

const DIAGRAMS = new Set(['mermaid', 'plantuml', 'puml']);

/** Sets the language in place and returns the file name, or null. */
export function readFence(code: Code): string | null {
  const { lang } = code;
  if (!lang) return null;
  const meta = code.meta ?? '';
  const braced = BRACED.exec(lang)?.[1]?.toLowerCase();
  if (braced !== undefined) {
    code.lang = DIRECTIVES.has(braced) ? (LANGUAGE.exec(meta)?.[0] ?? null) : braced;
    return findTitle(`${lang} ${meta}`);
  }
  const named = NAMED.exec(lang);
  code.lang = (named === null ? LANGUAGE.exec(lang)?.[0] : named[1]) ?? null;
  // `diff js:src/a.js` is a change to that file.
  return named?.[2] ?? NAMED.exec(meta.split(/\s/, 1)[0] ?? '')?.[2] ?? findTitle(meta);
}

/** The loss of a fence, after `readFence` has set its language. */
export function findFenceLoss({ lang }: Code): Loss | undefined {
  return lang && DIAGRAMS.has(lang.toLowerCase()) ? 'diagram_as_code' : undefined;
}

function findTitle(meta: string): string | null {
  const title = TITLE.exec(meta);
  return title?.[1] ?? title?.[2] ?? title?.[3] ?? LABEL.exec(meta)?.[1] ?? null;
}
