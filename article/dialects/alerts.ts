/** Reads GitHub alerts (`> [!NOTE]`) as quotations with a class, with their kind in bold on top. */
import type { BlockContent, Blockquote, DefinitionContent, Paragraph } from 'mdast';

/** Obsidian writes metadata for its themes after a bar. */
const MARK = /^\[!([a-z]{3,20})(?:\|[^\]\n]{0,100})?\][+-]?[ \t]*/i;
/** Kinds of GitHub and of tools with the same syntax, mapped to the five that pages distinguish. */
const KINDS = new Map(
  Object.entries({
    note: 'note info abstract todo message quote',
    tip: 'tip hint success check example',
    important: 'important question help faq',
    warning: 'warning attention alert',
    caution: 'caution danger error bug failure',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);

/** True for a word that turns a quotation or a container into an alert: `NOTE`, in any case. */
export function isAlertKind(name: string): boolean {
  return KINDS.has(name.toLowerCase());
}

export function readAlert(quote: Blockquote): void {
  const first = quote.children[0];
  const words = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (first?.type !== 'paragraph' || words?.type !== 'text') return;
  const name = MARK.exec(words.value)?.[1]?.toLowerCase();
  if (name === undefined || !isAlertKind(name)) return;
  const [line = '', ...rest] = words.value.replace(MARK, '').split('\n');
  words.value = rest.join('\n');
  const isEmpty = first.children.every((child) => child.type === 'text' && child.value.trim() === '');
  const hasTitle = rest.length > 0 || isEmpty;
  if (!hasTitle) words.value = line;
  const inside = isEmpty ? quote.children.slice(1) : quote.children;
  const alert = buildAlert(name, hasTitle ? line.trim() : '', inside);
  quote.children = alert.children;
  quote.data = { ...quote.data, ...alert.data };
}

/** An unknown `name` gives a note with that name as its title. */
export function buildAlert(name: string, title: string, inside: (BlockContent | DefinitionContent)[]): Blockquote {
  const words = title === '' ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : title;
  const head: Paragraph = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: words }] }],
  };
  const className = [`alert-${KINDS.get(name.toLowerCase()) ?? 'note'}`];
  return { type: 'blockquote', children: [head, ...inside], data: { hProperties: { className } } };
}
