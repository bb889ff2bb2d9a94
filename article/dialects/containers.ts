/** Containers between lines of colons: `:::tip`, `::: warning Title`, `:::note[Title]`, `:::details Title`, Pandoc's `::: {.callout-note}`. */
import type { BlockContent, DefinitionContent, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import { buildAlert, isAlertKind } from './alerts.ts';
import type { Span } from './spans.ts';

export interface Container {
  open: Span;
  close: Span;
  /** Empty for one that says nothing to readers: only its lines are taken out. */
  name: string;
  title: string;
}

const LINE =
  /(?<=(?:^|\n)[ \t>]{0,40})(:{3,})[ \t]*(?:([a-z][\w-]{0,40})?[ \t]*(?:\[([^\]\n]{0,300})\])?(?:\{([^}\n]{0,200})\})?[ \t]*([^\n:]{0,300}))?[ \t]*(?=\n|$)/gi;
/** More are not read as containers. */
const MOST = 500;

/** Only those that are closed; a line of colons on its own is text. */
export function findContainers(text: string, isText: (offset: number) => boolean): Container[] {
  if (!text.includes(':::')) return [];
  const found: Container[] = [];
  const open: { span: Span; colons: number; name: string; title: string }[] = [];
  for (const match of text.matchAll(LINE)) {
    if (!isText(match.index) || found.length + open.length > MOST) continue;
    const [line, colons = '', name, label, attributes, rest = ''] = match;
    const span = { start: match.index, end: match.index + line.length };
    if (name !== undefined) {
      open.push({ span, colons: colons.length, name: name.toLowerCase(), title: (label ?? rest).trim() });
      continue;
    }
    if (attributes !== undefined) {
      open.push({ span, colons: colons.length, ...readAttributes(attributes) });
      continue;
    }
    const last = open.pop();
    if (last !== undefined) found.push({ open: last.span, close: span, name: last.name, title: last.title });
  }
  return found;
}

/** By the first class that names a kind: `.callout-note title="Title"`. */
function readAttributes(attributes: string): Pick<Container, 'name' | 'title'> {
  const classes = [...attributes.matchAll(/\.(?:callout-)?([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase());
  const title = /(?:^|\s)title="([^"]*)"/.exec(attributes)?.[1];
  return { name: classes.find(isAlertKind) ?? '', title: title?.trim() ?? '' };
}

/** Groups the blocks between the two lines, which are blank in `tree`. The inner containers come first in `containers`. */
export function groupContainers(tree: Root, containers: readonly Container[]): void {
  for (const container of containers) if (container.name !== '') group(tree, container);
}

function group(parent: Parents, container: Container): boolean {
  const { start } = container.open;
  const { end } = container.close;
  const children = parent.children as RootContent[];
  const first = children.findIndex((child) => from(child) >= start);
  const around = children.find((child) => from(child) < start && to(child) > start);
  if (around !== undefined && 'children' in around) return group(around as Parents, container);
  if (first === -1) return false;
  let last = first;
  while (last < children.length && to(children[last] as Nodes) <= end) last += 1;
  if (last === first) return false;
  const inside = children.slice(first, last) as (BlockContent | DefinitionContent)[];
  children.splice(first, last - first, wrap(container, inside));
  return true;
}

function wrap({ name, title, open, close }: Container, inside: (BlockContent | DefinitionContent)[]): RootContent {
  const position = {
    start: { line: 1, column: 1, offset: open.start },
    end: { line: 1, column: 1, offset: close.end },
  };
  if (name !== 'details') return { ...buildAlert(name, title, inside), position };
  const summary: PhrasingContent[] = [{ type: 'text', value: title === '' ? 'Details' : title }];
  const head = { type: 'paragraph' as const, children: summary, data: { hName: 'summary' } };
  return { type: 'blockquote', children: [head, ...inside], data: { hName: 'details' }, position };
}

function from(node: Nodes): number {
  return node.position?.start.offset ?? -1;
}

function to(node: Nodes): number {
  return node.position?.end.offset ?? -1;
}
