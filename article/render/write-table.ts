/**
 * Writes a table of HTML for Markdown, which has no captions: its caption stands above it. A table
 * inside a cell stays a table, which `flatten-cells.ts` makes lines of.
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
