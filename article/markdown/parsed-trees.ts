/** Caches the tree of a draft: parsing is most of a publish, and derivation needs it too. */
import type { Root } from 'mdast';
import type { ArticleDraft } from '../types.ts';
import { parseMarkdown } from './parse-markdown.ts';

const trees = new WeakMap<ArticleDraft, { body: string; tree: Root }>();

export function rememberTree(draft: ArticleDraft, tree: Root): void {
  trees.set(draft, { body: draft.body, tree });
}

/** Parses again if the draft is of another thread or has changed. Do not modify the tree. */
export function getTree(draft: ArticleDraft): Root {
  const known = trees.get(draft);
  return known !== undefined && known.body === draft.body ? known.tree : parseMarkdown(draft.body);
}
