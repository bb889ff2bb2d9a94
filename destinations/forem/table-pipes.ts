/**
 * Forem's renderer (Redcarpet) counts every pipe in the head of a table as the end of a column, those behind a backslash and in code too, and shows
 * the backslash in code. So pipes that are text are entities, and code with one is written as HTML, with each of its signs as an entity.
 */
import type { Edit } from '../../article/markdown/edits.ts';
import { type Prose, RegionWalk, replaceProse } from '../format/markdown/prose.ts';

export function writePipes(prose: Prose): Edit[] {
  if (prose.block.kind !== 'table' || !prose.text.includes('|')) return [];
  const walk = new RegionWalk(prose.regions);
  const inText = [...prose.text.matchAll(/\\\|/g)].flatMap(({ index }) =>
    walk.findRegion(index) === null ? [replaceProse(prose, index, index + 2, '&#124;')] : [],
  );
  const inCode = prose.regions.flatMap(({ kind, start, end }) => {
    const code = kind === 'code' ? prose.text.slice(start, end) : '';
    return code.includes('|') && !code.includes('endraw') ? [replaceProse(prose, start, end, writeCode(code))] : [];
  });
  return [...inText, ...inCode];
}

/** `span` with its backticks. One blank at each end belongs to these where the code holds more than blanks. */
function writeCode(span: string): string {
  const inner = span.replace(/^`+|`+$/g, '');
  const code = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  const text = code.replaceAll('\\|', '|').replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  // An entity is a brace to Liquid, which runs last.
  return /\{[{%]/.test(code) ? `<code>{% raw %}${text}{% endraw %}</code>` : `<code>${text}</code>`;
}
