/** Formulas as Forem writes them: `{% katex inline %}…{% endkatex %}`. */
import type { Edit } from '../../article/markdown/edits.ts';
import type { Formula } from '../format/markdown/formulas.ts';
import { followsBrace } from './escape-liquid.ts';

/**
 * Forem renders Markdown before it runs Liquid, so whatever Markdown could take for its own is written as an entity, line
 * breaks too: these are characters again when the formula is read.
 */
const TAKEN_BY_MARKDOWN = /[\\`*_~<>&[\]|:"!\r\n]/g;

export function writeKatex(source: string, { start, end, tex, isDisplay }: Formula): Edit {
  // A blank behind a brace means nothing in a formula, and ends the opening sign of Liquid; the end of the formula begins with a brace.
  const free = tex.replace(/\{(?=[{%]|$)/g, '{ ');
  const encoded = free.replace(TAKEN_BY_MARKDOWN, (sign) => `&#${sign.charCodeAt(0)};`);
  // An invisible word joiner parts two braces.
  const before = followsBrace(source, start) ? '\u2060' : '';
  return { start, end, text: `${before}{% katex${isDisplay ? '' : ' inline'} %}${encoded}{% endkatex %}` };
}
