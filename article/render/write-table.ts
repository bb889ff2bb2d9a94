/**
 * Writes an HTML table as Markdown. Puts the caption above it, because Markdown has no captions.
 * Does not change a table in a cell, which `flatten-cells.ts` turns into lines.
 */
import type { Element } from 'hast';
import { defaultHandlers, type Handle } from 'hast-util-to-mdast';

export const writeTable: Handle = (state, node: Element) => {
  const caption = node.children.find((child) => child.type === 'element' && child.tagName === 'caption');
  const { inTable } = state;
  state.inTable = false;
  const table = defaultHandlers.table(state, node);
  state.inTable = inTable;
  if (caption?.type !== 'element') return table;
  const above = state.toFlow(state.all(caption));
  return [...above, ...(Array.isArray(table) ? table : [table])] as never;
};
