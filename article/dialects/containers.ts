/** Reads containers: `:::tip`, `:::note[Title]`, `:::details Title`, `::: {.callout-note}`. */
import type { BlockContent, DefinitionContent, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import { buildAlert, isAlertKind } from './alerts.ts';
import type { Loss } from './losses.ts';
import type { Span } from './spans.ts';

export interface Container {
  open: Span;
  close: Span;
  /** Empty if the container has neither a title nor a style: only its two lines are removed. */
  name: string;
  title: string;
  loss?: Loss;
}

const LINE = /(?<=^|\n)([ \t>]{0,40}):{3,}(?!:)([^\n]*)/g;
const DETAILS = 'details';
const VARIANTS: Record<string, string | undefined> = { alert: 'alert', warn: 'warning', info: 'info' };
/** The text after the colons, with blanks folded. */
const HEAD = /^([a-z][\w-]{0,40})? ?(?:\[([^\]]{0,300})\])?(?:\{([^}]{0,200})\})? ?(.{0,300})$/i;
const MAX_HEAD_LENGTH = 600;
const MAX_CONTAINERS = 500;

/** Returns closed containers only. A line of colons without a counterpart is text. */
export function findContainers(text: string, isText: (offset: number) => boolean): Container[] {
  if (!text.includes(':::')) return [];
  const found: Container[] = [];
  const open: (Omit<Container, 'open' | 'close'> & { span: Span })[] = [];
  for (const { 0: line, 1: before = '', 2: behind = '', index } of text.matchAll(LINE)) {
    const span = { start: index + before.length, end: index + line.length };
    if (!isText(span.start) || found.length + open.length > MAX_CONTAINERS) continue;
    if (behind.trim() !== '') {
      const container = readHead(behind);
      if (container !== null) open.push({ span, ...container });
      continue;
    }
    const last = open.pop();
    if (last !== undefined) {
      const { span: first, ...container } = last;
      found.push({ open: first, close: span, ...container });
    }
  }
  return found;
}

/** Null if the line opens no container. A title may contain colons, but not three. */
function readHead(behind: string): Pick<Container, 'name' | 'title' | 'loss'> | null {
  const head =
    behind.length > MAX_HEAD_LENGTH
      ? null
      : HEAD.exec(
          behind
            .trim()
            .replace(/[ \t]+/g, ' ')
            .replace(/ :{3,}$/, ''),
        );
  if (head === null) return null;
  const [, name, label, attributes, rest = ''] = head;
  if (rest.includes(':::') || (name === undefined && attributes === undefined)) return null;
  if (name === undefined) return readAttributes(attributes ?? '');
  const kind = name.toLowerCase();
  const title = [label ?? '', rest].join(' ').trim();
  if (isAlertKind(kind) || kind === DETAILS) return readVariant(kind, title);
  // Columns, tabs, groups of code: their contents suffice.
  return { name: title === '' ? '' : kind, title, loss: 'container_as_text' };
}

/** `:::message alert` (Zenn) and `:::note warn` (Qiita) name another kind, not a title. */
function readVariant(kind: string, title: string): Pick<Container, 'name' | 'title'> {
  const variant = kind === 'message' || kind === 'note' ? VARIANTS[title] : undefined;
  return variant === undefined ? { name: kind, title } : { name: variant, title: '' };
}

/** Uses the first class that names a kind: `.callout-note title="Title"`. */
function readAttributes(attributes: string): Pick<Container, 'name' | 'title'> {
  const classes = [...attributes.matchAll(/\.(?:callout-)?([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase());
  const title = /(?:^|\s)title="([^"]*)"/.exec(attributes)?.[1]?.trim() ?? '';
  return { name: classes.find(isAlertKind) ?? (title === '' ? '' : 'note'), title };
}

/** Groups the blocks between the two lines, blank in `tree`. Expects inner ones first. */
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
  if (name !== DETAILS) return { ...buildAlert(name, title, inside), position };
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
