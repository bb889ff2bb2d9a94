/** Recognises footnotes as generators write them: a list at the end, and links to its items. */
import type { Element, ElementContent, Nodes } from 'hast';
import { SKIP, visit } from 'unist-util-visit';

const NOTES = /(?:^|[-_])(?:footnotes?|endnotes?)(?:$|[-_])/i;
const MAX_NOTES = 1_000;

/** Marks notes and references, in place of links, with `data-footnote`. Dissolves the list. */
export function prepareFootnotes(tree: Nodes): void {
  const notes = listNotes(tree);
  if (notes.size === 0) return;
  const used = new Set<string>();
  visit(tree, 'element', (node, index, parent) => {
    if (notes.has(readId(node))) return SKIP;
    const target = findTarget(node);
    if (target === null || !notes.has(target) || parent === undefined || index === undefined) return undefined;
    used.add(target);
    parent.children[index] = build('footnote-reference', readName(target, notes), []);
    return SKIP;
  });
  for (const [id, note] of notes) {
    if (!used.has(id)) continue;
    note.tagName = 'footnote';
    note.properties = { dataFootnote: readName(id, notes) };
    dropBackLinks(note);
  }
  // A list may contain only items, so a list with notes becomes a `div`.
  visit(tree, 'element', (node) => {
    const isList = node.tagName === 'ol' || node.tagName === 'ul';
    if (isList && node.children.some((child) => child.type === 'element' && child.tagName === 'footnote'))
      node.tagName = 'div';
  });
}

function listNotes(tree: Nodes): Map<string, Element> {
  const notes = new Map<string, Element>();
  visit(tree, 'element', (node) => {
    if (!isNoteList(node)) return undefined;
    visit(node, 'element', (item) => {
      const id = readId(item);
      if (item.tagName === 'li' && id !== '' && notes.size < MAX_NOTES) notes.set(id, item);
    });
    return SKIP;
  });
  return notes;
}

function isNoteList({ properties }: Element): boolean {
  const { className, id, role, dataFootnotes } = properties;
  const names = [...(Array.isArray(className) ? className : []), id, role === 'doc-endnotes' ? 'footnotes' : ''];
  return dataFootnotes !== undefined || names.some((name) => typeof name === 'string' && NOTES.test(name));
}

/** The id in a link to a place on the page, alone or in `sup`. */
function findTarget(node: Element): string | null {
  if (node.tagName === 'sup') {
    const [only, ...others] = node.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
    return only?.type === 'element' && others.length === 0 ? findTarget(only) : null;
  }
  const { href } = node.properties;
  return node.tagName === 'a' && typeof href === 'string' && href.startsWith('#') ? href.slice(1) : null;
}

function dropBackLinks(note: Element): void {
  note.children = note.children.filter((child) => !isBackLink(child));
  for (const child of note.children) if (child.type === 'element') dropBackLinks(child);
}

function isBackLink(node: ElementContent): boolean {
  const target = node.type === 'element' ? findTarget(node) : null;
  if (target === null || node.type !== 'element') return false;
  const { className, role, dataFootnoteBackref } = node.properties;
  const isMarked =
    role === 'doc-backlink' || dataFootnoteBackref !== undefined || /back|reverse/i.test(String(className ?? ''));
  return isMarked || /ref/i.test(target);
}

function readId({ properties: { id } }: Element): string {
  return typeof id === 'string' ? id : '';
}

/** The position in the list, so that no id of the page gets into the text. */
function readName(id: string, notes: Map<string, Element>): string {
  return String([...notes.keys()].indexOf(id) + 1);
}

function build(tagName: string, name: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: { dataFootnote: name }, children };
}
