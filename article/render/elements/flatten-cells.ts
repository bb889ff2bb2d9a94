/** Writes table cells on one line, as Markdown requires, with `<br>` between blocks. */
import type { Nodes, PhrasingContent, Root, RootContent, TableCell } from 'mdast';
import { walkTree } from '../../walk-tree.ts';

export function flattenCells(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'tableCell') return undefined;
    node.children = flatten(node);
    return 'skip';
  });
}

const LINE_BREAK = { type: 'html', value: '<br>' } as const;
const SPACE = { type: 'text', value: ' ' } as const;

/** The lines of a cell. Content that is no block continues the current line. */
function flatten(cell: TableCell): PhrasingContent[] {
  const lines: PhrasingContent[][] = [];
  let isOpen = false;
  for (const child of cell.children as RootContent[]) {
    const block = readLines(child);
    if (block) lines.push(...block);
    else if (isOpen) lines.at(-1)?.push(...inline(child));
    else lines.push(inline(child));
    isOpen = block === undefined;
  }
  return lines.flatMap((line, index) => (index === 0 ? line : [LINE_BREAK, ...line]));
}

function inline(node: RootContent): PhrasingContent[] {
  return [node.type === 'break' ? LINE_BREAK : (node as PhrasingContent)];
}

function readLines(node: RootContent): PhrasingContent[][] | undefined {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return [node.children.flatMap(inline)];
    case 'code':
      return node.value.split('\n').map((value) => [{ type: 'inlineCode', value }]);
    case 'blockquote':
      return node.children.flatMap((child) => readLines(child) ?? [inline(child)]);
    case 'list':
      return node.children.flatMap((item, index) => {
        const [first = [], ...rest] = item.children.flatMap((child) => readLines(child) ?? [inline(child)]);
        const mark = node.ordered ? `${(node.start ?? 1) + index}. ` : '• ';
        return [[{ type: 'text', value: mark } as const, ...first], ...rest];
      });
    case 'table':
      return node.children.flatMap((row) => {
        const cells = row.children.map(flatten).filter((cell) => cell.length > 0);
        const line = cells.flatMap((cell, index) => (index === 0 ? cell : [SPACE, ...cell]));
        return line.length === 0 ? [] : [line];
      });
    case 'thematicBreak':
      return [];
    default:
      return undefined;
  }
}
