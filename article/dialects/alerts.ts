/** Alerts as GitHub writes them (`> [!NOTE]`): a quotation with a class, that begins with its kind in bold. */
import type { BlockContent, Blockquote, DefinitionContent, Paragraph } from 'mdast';

/** What Obsidian writes after a bar is for its themes. */
const MARK = /^\[!([a-z]{3,20})(?:\|[^\]\n]{0,100})?\][+-]?[ \t]*/i;
/** Of GitHub and of those who use its marks, and the five kinds that a page tells apart. */
const KINDS: Record<string, string> = {
  note: 'note',
  info: 'note',
  abstract: 'note',
  todo: 'note',
  message: 'note',
  quote: 'note',
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  check: 'tip',
  example: 'tip',
  important: 'important',
  question: 'important',
  help: 'important',
  faq: 'important',
  warning: 'warning',
  attention: 'warning',
  alert: 'warning',
  caution: 'caution',
  danger: 'caution',
  error: 'caution',
  bug: 'caution',
  failure: 'caution',
};

/** True for a word that makes an alert of a quotation or a container: `NOTE`, in any case. */
export function isAlertKind(name: string): boolean {
  return Object.hasOwn(KINDS, name.toLowerCase());
}

/** Changes a quotation that begins with such a mark. */
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

/** `name` may be any; one that is not known gives a quotation without a kind, under its own name. */
export function buildAlert(name: string, title: string, inside: (BlockContent | DefinitionContent)[]): Blockquote {
  const words = title === '' ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : title;
  const head: Paragraph = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: words }] }],
  };
  const className = isAlertKind(name) ? [`alert-${KINDS[name.toLowerCase()]}`] : ['alert-note'];
  return { type: 'blockquote', children: [head, ...inside], data: { hProperties: { className } } };
}
