/** Info strings of fences: ` ```js:src/a.js `, ` ```js title="a.js" `, ` ```{r, echo=FALSE} `. The language stays one, and the name of the file is shown. */
import type { Code } from 'mdast';
import type { Loss } from './spans.ts';

const TITLE =
  /(?:^|[\s{,])(?:title|filename|file|name)[=:][ \t]*(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'{},]{1,200}))/;
/** Labels of VitePress. */
const LABEL = /(?:^|\s)\[([^\]\n]{1,200})\]/;
/** `js:src/a.js`, of Gatsby `js:title=src/a.js`, and with lines behind it. */
const NAMED = /^([a-z][\w+#-]*):(?:title=)?([^\s:]*[./][^\s:]*|[A-Z]\w*file)(?::[\d,-]*)?$/i;
/** Of Pandoc, R Markdown and MyST: `{r, echo=FALSE}`, `{.python .numberLines}`, `{code-block} python`. */
const BRACED = /^\{[=.]?([a-z][\w+#-]*)/i;
const DIRECTIVES = new Set(['code', 'code-block', 'code-cell', 'sourcecode']);
/** What a class of an element can hold. */
const LANGUAGE = /^[\w+#.-]+/;

const DIAGRAMS = new Set(['mermaid', 'plantuml', 'puml']);
export const DIAGRAM_AS_CODE: Loss = {
  code: 'diagram_as_code',
  message:
    'A diagram (mermaid, plantuml) is shown as its code, because no script runs on the page; readers see a picture of it if you add one.',
};

/** Changes the language and returns the name of the file, if there is one. */
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

/** What is lost of a fence whose language is read. */
export function findFenceLoss({ lang }: Code): Loss | undefined {
  return lang && DIAGRAMS.has(lang.toLowerCase()) ? DIAGRAM_AS_CODE : undefined;
}

function findTitle(meta: string): string | null {
  const title = TITLE.exec(meta);
  return title?.[1] ?? title?.[2] ?? title?.[3] ?? LABEL.exec(meta)?.[1] ?? null;
}
