/**
 * The tree that a draft was read from, kept as long as the draft itself: parsing is most of the cost of a publish, and
 * derivation needs the same tree.
 */
import type { Root } from 'mdast';
import type { ArticleDraft } from '../types.ts';
import { parseMarkdown } from './parse-markdown.ts';

const trees = new WeakMap<ArticleDraft, { body: string; tree: Root }>();

export function rememberTree(draft: ArticleDraft, tree: Root): void {
  trees.set(draft, { body: draft.body, tree });
}

/** The tree of the draft's body; parsed anew where the draft was not read here or was changed since. Not to be changed. */
export function treeOf(draft: ArticleDraft): Root {
  const known = trees.get(draft);
  return known !== undefined && known.body === draft.body ? known.tree : parseMarkdown(draft.body);
}
