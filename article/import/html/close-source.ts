/**
 * Closes unclosed elements in imported HTML, so that they do not contain the text that follows.
 * Other unclosed tags are shown as text.
 */
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { applyTextEdits } from '../../markdown/edits.ts';
import { closeHtml } from '../../markdown/html/close-html.ts';
import { getInnerText } from '../../markdown/html/html-tags.ts';
import { listRemovedTexts, quoteText } from '../../markdown/html/removed-html.ts';
import { cleanLine } from '../../text/clean-text.ts';
import type { Notice } from '../../types.ts';

/** Browsers do not show these either, so their removal causes no warning. */
const UNSEEN = new Set(['script', 'style', 'template']);

export interface ClosedSource {
  html: string;
  warnings: Notice[];
}

export function closeSource(source: string): ClosedSource {
  const { edits, hidden } = closeHtml([{ value: source, isBlock: true, scope: 0 }]);
  const removed = hidden.flatMap(({ name, from, to }) => {
    const quote = UNSEEN.has(name) ? null : quoteText(getInnerText(name, source.slice(from.offset, to.offset)));
    return quote === null ? [] : [{ quote, name }];
  });
  const warnings = listRemovedTexts(removed, ({ quote, name }) => {
    const message = `${quote} is left out, because articles do not show <${name}>. Add the text to the article if readers need it.`;
    return { code: 'text_removed', message, path: 'content' };
  });
  return {
    html: applyTextEdits(
      source,
      edits.filter((edit) => !isInstruction(source, edit)),
    ),
    warnings,
  };
}

/** `<?xml …>` and `<!…>`, which word processors write, are comments to browsers. */
function isInstruction(source: string, { start, end }: { start: number; end: number }): boolean {
  return end === start + 1 && /^<[?!](?!--)/.test(source.slice(start, start + 4));
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

export function readPlainText(html: string): string {
  return cleanLine(/[<&]/.test(html) ? toText(parser.parse(closeSource(html).html)) : html);
}
