/** Builds warnings about removed HTML elements and the texts in them. */
import type { Root } from 'mdast';
import { findScriptPage } from '../../embeds/frame-address.ts';
import { cleanLine } from '../../text/clean-text.ts';
import type { Notice } from '../../types.ts';
import { getHiddenText, readTreeHtml, type TreeHtml } from '../close-tree.ts';
import { findHtmlAddresses } from './html-addresses.ts';

const REMOVED = new Set(
  'script style applet form button textarea select option svg math canvas link meta base template dialog frame frameset marquee'.split(
    ' ',
  ),
);
const REPLACED = new Set(['iframe', 'video', 'audio', 'object', 'embed', 'script of a page']);
/** More would hide the other warnings, so the rest is counted. */
const MAX_QUOTES = 20;
const MAX_QUOTE_LENGTH = 120;

/** One `html_removed` or `embed_replaced` per element name, and a `text_removed` per text. */
export function findRemovedHtml(tree: Root, bodyLine: number): Notice[] {
  const html = readTreeHtml(tree);
  return html === null ? [] : [...listElements(html, bodyLine), ...listTexts(html, bodyLine)];
}

/** Quotes the beginning of a removed text; null if it is empty. */
export function quoteText(text: string): string | null {
  const line = cleanLine(text.slice(0, 20 * MAX_QUOTE_LENGTH));
  if (line === '') return null;
  return `“${line.length <= MAX_QUOTE_LENGTH ? line : `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`}”`;
}

/** Calls `describe` for the first texts and counts the others. */
export function listRemovedTexts<T>(removed: readonly T[], describe: (text: T) => Notice): Notice[] {
  const warnings = removed.slice(0, MAX_QUOTES).map(describe);
  const rest = removed.length - warnings.length;
  const message = `${rest} more removed texts are not listed here.`;
  return rest === 0 ? warnings : [...warnings, { code: 'text_removed', message, path: 'content' }];
}

function listElements(html: TreeHtml, bodyLine: number): Notice[] {
  const warnings = new Map<string, Notice>();
  for (const { name: tag, piece, offset } of html.tags) {
    const isEmbedScript =
      tag === 'script' && hasEmbedScript(html.pieces[piece]?.value.slice(offset, offset + 1_000) ?? '');
    const name = isEmbedScript ? 'script of a page' : tag;
    if (warnings.has(name) || (!REMOVED.has(name) && !REPLACED.has(name))) continue;
    const message = REMOVED.has(name)
      ? `<${tag}> is removed from the page, so readers do not see it.`
      : `<${tag}> is replaced by a link if readers can open its address.`;
    const code = REMOVED.has(name) ? 'html_removed' : 'embed_replaced';
    warnings.set(name, { code, message, path: 'content', line: findLine(html, { piece, offset }) + bodyLine - 1 });
  }
  return [...warnings.values()];
}

function listTexts(html: TreeHtml, bodyLine: number): Notice[] {
  const removed = html.hidden.flatMap(({ name, from, to }) => {
    const quote = quoteText(getHiddenText(html, { name, from, to }));
    return quote === null ? [] : [{ quote, tag: `<${name}>`, from }];
  });
  return listRemovedTexts(removed, ({ quote, tag, from }) => {
    const message = `${quote} is removed, because readers do not see the content of ${tag}. To show it, move it out of ${tag}, or put tags and text in backticks as code.`;
    return { code: 'text_removed', message, path: 'content', line: findLine(html, from) + bodyLine - 1 };
  });
}

/** Returns the line in the body, counted from 1. */
function findLine({ pieces }: TreeHtml, { piece, offset }: { piece: number; offset: number }): number {
  const { node, value } = pieces[piece] ?? {};
  return (node?.position?.start.line ?? 1) + (value?.slice(0, offset).split('\n').length ?? 1) - 1;
}

/** True for a script that only embeds (a gist's). It is replaced by a link, like a frame. */
function hasEmbedScript(html: string): boolean {
  const [first] = findHtmlAddresses(html);
  return (
    first !== undefined &&
    URL.canParse(first.value, 'https://a') &&
    findScriptPage(new URL(first.value, 'https://a')) !== null
  );
}
