/** `unist-util-visit` also computes a name, a path and a result per node: a fifth of a publish. */

type Visit<N> = (node: N) => 'skip' | undefined;

/** Calls `visit` for every node in document order. `N`: Markdown or HTML nodes. */
export function walkTree<N extends { type: string }>(node: N, visit: Visit<N>): void {
  if (visit(node) === 'skip') return;
  const { children } = node as N & { children?: N[] };
  if (children === undefined) return;
  for (const child of children) walkTree(child, visit);
}
