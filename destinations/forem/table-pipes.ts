/**
 * Forem's renderer (Redcarpet) counts every pipe in a table's head as a column end, even after a
 * backslash or in code. In code it shows the backslash. So pipes in text become entities, and code
 * with a pipe becomes HTML with entities for all its signs.
 */
import type { TextEdit } from '../../article/markdown/edits.ts';
import { type Prose, RegionCursor, replaceProse } from '../format/markdown/prose.ts';

export function writePipes(prose: Prose): TextEdit[] {
  if (prose.block.kind !== 'table' || !prose.text.includes('|')) return [];
  const walk = new RegionCursor(prose.regions);
  const inText = [...prose.text.matchAll(/\\\|/g)].flatMap(({ index }) =>
    walk.findRegion(index) === null ? [replaceProse(prose, index, index + 2, '&#124;')] : [],
  );
  const inCode = prose.regions.flatMap(({ kind, start, end }) => {
    const code = kind === 'code' ? prose.text.slice(start, end) : '';
    return code.includes('|') && !code.includes('endraw') ? [replaceProse(prose, start, end, writeCode(code))] : [];
  });
  return [...inText, ...inCode];
}

/**
 * `span` includes its backticks. One blank at each end belongs to them if the code holds more than
 * blanks.
 */
function writeCode(span: string): string {
  const inner = span.replace(/^`+|`+$/g, '');
  const code = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  const text = code.replaceAll('\\|', '|').replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  // Liquid runs last and reads an entity as a brace.
  return /\{[{%]/.test(code) ? `<code>{% raw %}${text}{% endraw %}</code>` : `<code>${text}</code>`;
}
