/**
 * Preserves formulas between `\(…\)`, `\[…\]`, `$$…$$` (MathJax, KaTeX). They are not escaped,
 * because a backslash has a meaning in TeX.
 */
import type { Nodes, PhrasingContent, Root, Text } from 'mdast';
import { findMath } from '../../dialects/inline/math.ts';
import { walkTree } from '../../walk-tree.ts';

/** Neither of the two reads formulas in single dollars, which prices and shells use. */
export const FORMULA = /^(?:\\|\$\$)/;

export function preserveFormulas(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'tableCell') return splitTexts(node, false);
    walkTree<Nodes>(node, (inner) => splitTexts(inner, true));
    return 'skip';
  });
}

function splitTexts(node: Nodes, isCell: boolean): undefined {
  if (!('children' in node)) return undefined;
  if (!node.children.some((child) => child.type === 'text' && /\\[([]|\$\$/.test(child.value))) return undefined;
  const parts = (node.children as Nodes[]).flatMap((child): Nodes[] =>
    child.type === 'text' ? splitText(child, isCell) : [child],
  );
  node.children = parts as never;
  return undefined;
}

function splitText({ value }: Text, isCell: boolean): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const { start, end } of findMath(value)) {
    const formula = value.slice(start, end);
    if (start < from || !FORMULA.test(formula)) continue;
    if (start > from) parts.push({ type: 'text', value: value.slice(from, start) });
    parts.push({ type: 'html', value: isCell ? nameBars(formula) : formula });
    from = end;
  }
  if (from < value.length) parts.push({ type: 'text', value: value.slice(from) });
  return parts;
}

function nameBars(formula: string): string {
  return formula.replace(/\\?\|/g, (bar) => (bar === '|' ? '\\vert ' : '\\Vert '));
}
