/** What other places than GitHub understand as Markdown, read into the same tree. The source keeps it as its author wrote it. */
import type { Nodes, Root } from 'mdast';
import { walkTree } from '../walk-tree.ts';
import { blankSpans, findImageAttributes } from './image-attributes.ts';
import { unwrapPercentEmbeds } from './percent-embeds.ts';

/** Positions in the tree are those of `body`. */
export function parseDialects(body: string, parse: (text: string) => Root): Root {
  const tree = parseAttributes(body, parse);
  if (!body.includes('%[')) return tree;
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'paragraph') unwrapPercentEmbeds(node.children);
    return undefined;
  });
  return tree;
}

/** Parses twice where images have attributes, because only the parser knows which of them are code. */
function parseAttributes(body: string, parse: (text: string) => Root): Root {
  const tree = parse(body);
  if (!body.includes('="')) return tree;
  const spans = findImageAttributes(body);
  if (spans.length === 0) return tree;
  const code = listCode(tree);
  let at = 0;
  const outside = spans.filter(({ start }) => {
    while ((code[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    return (code[at]?.start ?? Number.POSITIVE_INFINITY) > start;
  });
  return outside.length === 0 ? tree : parse(blankSpans(body, outside));
}

function listCode(tree: Root): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  walkTree<Nodes>(tree, ({ type, position }) => {
    if (type !== 'code' && type !== 'inlineCode' && type !== 'html') return undefined;
    spans.push({ start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 });
    return undefined;
  });
  return spans;
}
