/**
 * Keeps the tree that a draft was read from as long as the draft itself, because parsing is most of the cost of a
 * publish and derivation needs the same tree.
 */
import type { Root } from 'mdast';
import type { ArticleDraft } from '../types.ts';
import { parseMarkdown } from './parse-markdown.ts';

const trees = new WeakMap<ArticleDraft, { body: string; tree: Root }>();

export function rememberTree(draft: ArticleDraft, tree: Root): void {
  trees.set(draft, { body: draft.body, tree });
}

/** The tree of the draft's body, parsed again if the draft was not read here or has changed. Callers must not modify it. */
export function getTree(draft: ArticleDraft): Root {
  const known = trees.get(draft);
  return known !== undefined && known.body === draft.body ? known.tree : parseMarkdown(draft.body);
}
