/** Closes the raw HTML of a Markdown tree within its blocks. See `close-html.ts`. */
import type { Html, Nodes, Parents, Root } from 'mdast';
import { toString as getText } from 'mdast-util-to-string';
import { applyTextEdits, type TextEdit } from './edits.ts';
import { type ClosedHtml, closeHtml, type HtmlPiece } from './html/close-html.ts';
import { getInnerText } from './html/html-tags.ts';

export interface TreeHtml extends ClosedHtml {
  pieces: TreePiece[];
}

export interface TreePiece extends HtmlPiece {
  node: Html;
  parent: Parents;
  index: number;
  /** The paragraph, heading or cell around a tag within a line; else `parent`. */
  block: Parents;
}

export function readTreeHtml(tree: Root): TreeHtml | null {
  const pieces = listTreePieces(tree);
  return pieces.length === 0 ? null : { pieces, ...closeHtml(pieces) };
}

/** Returns a tree with its raw HTML closed and without Markdown in hidden elements. */
export function closeTree(tree: Root): Root {
  const html = readTreeHtml(tree);
  if (html === null) return tree;
  const changes = readChanges(html);
  return changes.size === 0 ? tree : (rebuild(tree, changes) as Root);
}

export function getHiddenText({ pieces }: TreeHtml, { name, from, to }: ClosedHtml['hidden'][number]): string {
  const read = (html: string): string => getInnerText(name, html);
  const [first, last] = [pieces[from.piece], pieces[to.piece]];
  if (first === undefined || last === undefined) return '';
  if (first === last) return read(first.value.slice(from.offset, to.offset));
  const between = listBetween(first, last).map((node) => (node.type === 'html' ? read(node.value) : getText(node)));
  return [read(first.value.slice(from.offset)), ...between, read(last.value.slice(0, to.offset))].join('');
}

function listTreePieces(tree: Root): TreePiece[] {
  const pieces: TreePiece[] = [];
  let scopes = 0;
  let scope = 0;
  const visit = (parent: Parents, block: Parents | null): void => {
    const isLine = block !== null;
    scopes += 1;
    const lineScope = scopes;
    scope = lineScope;
    for (const [index, node] of parent.children.entries()) {
      if (node.type === 'html') {
        // Adjacent HTML blocks share a scope. Tags within a line share one if they have the same
        // parent.
        const place = { node, parent, index, block: block ?? parent };
        pieces.push({ ...place, value: node.value, isBlock: !isLine, scope: isLine ? lineScope : scope });
        continue;
      }
      if ('children' in node) visit(node, block ?? (containsInline(node) ? node : null));
      scopes += 1;
      scope = scopes;
    }
  };
  visit(tree, null);
  return pieces;
}

function containsInline({ type }: Nodes): boolean {
  return type === 'paragraph' || type === 'heading' || type === 'tableCell';
}

/** By node: the nodes that replace it, and the nodes to append to its children. */
type Changes = Map<Nodes, { nodes?: Nodes[]; tail?: Nodes[] }>;

function readChanges({ pieces, edits, tails, hidden }: TreeHtml): Changes {
  const changes: Changes = new Map();
  const byPiece = new Map<number, TextEdit[]>();
  for (const { piece, ...edit } of edits) {
    const pieceEdits = byPiece.get(piece);
    if (pieceEdits === undefined) byPiece.set(piece, [edit]);
    else pieceEdits.push(edit);
  }
  for (const [piece, pieceEdits] of byPiece) {
    const { node, value } = pieces[piece] as TreePiece;
    changes.set(node, { nodes: [{ ...node, value: applyTextEdits(value, pieceEdits) }] });
  }
  for (const { piece, text } of tails) {
    const { block } = pieces[piece] as TreePiece;
    const tail = changes.get(block)?.tail ?? [];
    tail.push({ type: 'html', value: text });
    changes.set(block, { tail });
  }
  for (const { from, to } of hidden) {
    const [first, last] = [pieces[from.piece] as TreePiece, pieces[to.piece] as TreePiece];
    if (first === last) continue;
    for (const node of listBetween(first, last)) if (node.type !== 'html') changes.set(node, { nodes: [] });
  }
  return changes;
}

function rebuild(node: Nodes, changes: Changes): Nodes {
  if (!('children' in node)) return node;
  const children = (node.children as Nodes[]).flatMap(
    (child): Nodes[] => changes.get(child)?.nodes ?? [rebuild(child, changes)],
  );
  return { ...node, children: [...children, ...(changes.get(node)?.tail ?? [])] } as Nodes;
}

function listBetween(first: TreePiece, last: TreePiece): Nodes[] {
  return first.parent.children.slice(first.index + 1, last.index);
}
