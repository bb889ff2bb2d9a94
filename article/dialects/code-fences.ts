/** Info strings of fences: ` ```js:src/a.js `, ` ```js title="a.js" `, ` ```{r, echo=FALSE} `. The language stays one, and the name of the file is shown. */
import type { Code } from 'mdast';

const TITLE = /(?:^|\s)(?:title|filename|file|name)=(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'{}]{1,200}))/;

/** Changes the language and returns the name of the file, if there is one. */
export function readFence(code: Code): string | null {
  const { lang } = code;
  if (!lang) return null;
  const braced = /^\{[=.]?([a-z][\w+#-]*)/i.exec(lang)?.[1];
  if (braced !== undefined) {
    code.lang = braced.toLowerCase();
    return null;
  }
  const named = /^([a-z][\w+#-]*):([^\s:]*[./][^\s:]*|[A-Z]\w*file)$/i.exec(lang);
  if (named !== null) {
    code.lang = named[1] ?? null;
    return named[2] ?? null;
  }
  const lines = /^([a-z][\w+#-]*)(?:\{[\d,-]*\}|,\S*)$/i.exec(lang)?.[1];
  if (lines !== undefined) code.lang = lines;
  const title = TITLE.exec(code.meta ?? '');
  return title === null ? null : (title[1] ?? title[2] ?? title[3] ?? null);
}
