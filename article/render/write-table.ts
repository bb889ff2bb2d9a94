/** Writes a table with its caption above it, because Markdown has none. A table in a cell stays. */
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
