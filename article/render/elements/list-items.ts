/**
 * Renders lists in linear time: for each item the library searches all items of its list for a
 * loose one.
 */
import type { Element } from 'hast';
import type { ListItem, Parents } from 'mdast';
import { defaultHandlers } from 'remark-rehype';

const looseLists = new WeakMap<Parents, boolean>();

/** A handler for `remark-rehype`. */
export function listItem(
  state: Parameters<typeof defaultHandlers.listItem>[0],
  item: ListItem,
  parent: Parents | undefined,
): Element {
  if (parent?.type !== 'list') return defaultHandlers.listItem(state, item, parent);
  let spread = looseLists.get(parent);
  if (spread === undefined) {
    spread = parent.spread === true || parent.children.some(isLoose);
    looseLists.set(parent, spread);
  }
  return defaultHandlers.listItem(state, { ...item, spread }, undefined);
}

function isLoose({ spread, children }: ListItem): boolean {
  return spread ?? children.length > 1;
}
