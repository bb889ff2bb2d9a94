/** Writes formulas in Forem's syntax: `{% katex inline %}…{% endkatex %}`. */
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Formula } from '../../format/markdown/formulas.ts';
import { followsBrace } from './escape-liquid.ts';

/**
 * Forem renders Markdown before it runs Liquid. Signs with a meaning in Markdown, line breaks
 * included, become entities; they are characters again when the formula is read.
 */
const MARKDOWN_SIGNS = /[\\`*_~<>&[\]|:"!\r\n]/g;

export function writeKatex(source: string, { start, end, tex, isDisplay }: Formula): TextEdit {
  // A blank after a brace means nothing in a formula and breaks Liquid's opening sign. The end of
  // the formula counts too, because `{% endkatex %}` begins with a brace.
  const spaced = tex.replace(/\{(?=[{%]|$)/g, '{ ');
  const encoded = spaced.replace(MARKDOWN_SIGNS, (sign) => `&#${sign.charCodeAt(0)};`);
  // An invisible word joiner separates two braces.
  const before = followsBrace(source, start) ? '\u2060' : '';
  return { start, end, text: `${before}{% katex${isDisplay ? '' : ' inline'} %}${encoded}{% endkatex %}` };
}
