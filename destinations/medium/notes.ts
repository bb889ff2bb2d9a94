/** Reads footnotes as a numbered list of notes, because Medium has no footnotes. */
import type { Element, ElementContent } from 'hast';

export function isFootnoteSection(node: Element): boolean {
  return node.tagName === 'section' && node.properties.dataFootnotes !== undefined;
}

/** The label of a reference (`<sup><a data-footnote-ref>`). Null for any other element. */
export function readFootnoteLabel(node: Element): string | null {
  const [link] = node.children;
  if (node.tagName !== 'sup' || link?.type !== 'element' || link.properties.dataFootnoteRef === undefined) return null;
  const [label] = link.children;
  return label?.type === 'text' ? label.value : null;
}

/** The notes of a section without their back links, which have no target on Medium. */
export function readNotes(section: Element): Element[] {
  const list = section.children.find((child) => child.type === 'element' && child.tagName === 'ol');
  if (list?.type !== 'element') return [];
  return list.children.flatMap((note) =>
    note.type === 'element' && note.tagName === 'li' ? [{ ...note, children: joinParagraphs(note.children) }] : [],
  );
}

/** Medium's list items contain one paragraph each. Further ones follow after a line break. */
function joinParagraphs(children: ElementContent[]): ElementContent[] {
  return children.flatMap((child, index) => {
    // In a note that does not end with a paragraph, the arrow is a separate element.
    if (isBackLink(child) || (child.type === 'text' && child.value.trim() === '')) return [];
    if (child.type !== 'element' || child.tagName !== 'p') return [child];
    const isFirst = !children.slice(0, index).some((before) => before.type === 'element');
    const content = trimEnd(child.children.filter((part) => !isBackLink(part)));
    return isFirst
      ? content
      : [{ type: 'element', tagName: 'br', properties: {}, children: [] } as Element, ...content];
  });
}

/** Removes the space before the arrow. */
function trimEnd(children: ElementContent[]): ElementContent[] {
  const last = children.findLastIndex((part) => part.type !== 'text' || part.value.trim() !== '');
  const trimmed = children.slice(0, last + 1);
  const end = trimmed.at(-1);
  return end?.type === 'text' ? [...trimmed.slice(0, -1), { ...end, value: end.value.trimEnd() }] : trimmed;
}

function isBackLink(node: ElementContent): boolean {
  return node.type === 'element' && node.properties.dataFootnoteBackref !== undefined;
}
