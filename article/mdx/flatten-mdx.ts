/** Converts one block of MDX to blocks of Markdown. Reads literals; evaluates no expressions. */
import type { Html, Image, Nodes, Paragraph, Parents, PhrasingContent, RootContent } from 'mdast';
import type {} from 'remark-mdx';
import { isTeaserExpression, TEASER_MARK } from '../describe/excerpt/find-teaser.ts';
import { readAttributeText, writeAttributeTexts } from './attribute-texts.ts';
import { isForeignImport } from './recognise-mdx.ts';

type JsxElement = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>;

export interface MdxLoss {
  kind: 'expression' | 'component';
  source: string;
  line: number;
  column: number;
}

/** The blocks that replace a block; the unchanged block if it contains no MDX. */
export function flattenMdx(node: RootContent, losses: MdxLoss[]): RootContent[] {
  return flatten(node, losses) as RootContent[];
}

function flatten(node: Nodes, losses: MdxLoss[]): Nodes[] {
  switch (node.type) {
    case 'mdxjsEsm':
      return isForeignImport(node.value)
        ? [{ type: 'paragraph', children: [{ type: 'text', value: node.value }], ...copyPosition(node) }]
        : [];
    case 'mdxFlowExpression':
    case 'mdxTextExpression': {
      const literal = readLiteral(node.data?.estree);
      if (literal === null) {
        report('expression', node.value.trim(), node, losses);
        return [];
      }
      if (literal === '') return preserveTeaserMark(node);
      const text = { type: 'text' as const, value: literal };
      return node.type === 'mdxTextExpression' ? [text] : [{ type: 'paragraph', children: [text] }];
    }
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return flattenElement(node, losses);
    case 'paragraph':
      return isOnlyComponents(node)
        ? node.children.flatMap((child) => flatten(toBlock(child), losses)).filter(({ type }) => type !== 'text')
        : [flattenChildren(node, losses)];
    default:
      return 'children' in node ? [flattenChildren(node, losses)] : [node];
  }
}

/** A component on one line is parsed as part of a paragraph, even if it stands alone. */
function isOnlyComponents({ children }: Paragraph): boolean {
  return children.every((child) =>
    child.type === 'text'
      ? child.value.trim() === ''
      : child.type === 'mdxJsxTextElement' && !isHtmlName(child.name ?? ''),
  );
}

function toBlock(child: PhrasingContent): Nodes {
  if (child.type !== 'mdxJsxTextElement') return child;
  const children: Paragraph[] = child.children.length === 0 ? [] : [{ type: 'paragraph', children: child.children }];
  return { ...child, type: 'mdxJsxFlowElement', children };
}

/** Returns the node itself if nothing below it changed, so that its source stays. */
function flattenChildren<N extends Parents>(node: N, losses: MdxLoss[]): N {
  let isChanged = false;
  const children = (node.children as Nodes[]).flatMap((child) => {
    const flat = flatten(child, losses);
    isChanged ||= flat.length !== 1 || flat[0] !== child;
    return flat;
  });
  if (!isChanged) return node;
  return {
    ...node,
    children: node.type === 'paragraph' || node.type === 'heading' ? trimEnds(children) : children,
  } as N;
}

/** Trims the blanks beside dropped content, which have no meaning at the ends of a line. */
function trimEnds(children: Nodes[]): Nodes[] {
  const first = children[0];
  const last = children.at(-1);
  if (first?.type === 'text') first.value = first.value.trimStart();
  if (last?.type === 'text') last.value = last.value.trimEnd();
  return children.filter((child) => child.type !== 'text' || child.value !== '');
}

/** A comment has no text, except the one that ends the teaser. */
function preserveTeaserMark(node: Extract<Nodes, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>): Nodes[] {
  const isMark = node.type === 'mdxFlowExpression' && isTeaserExpression(node.value);
  return isMark ? [{ type: 'html', value: TEASER_MARK, ...copyPosition(node) }] : [];
}

function flattenElement(node: JsxElement, losses: MdxLoss[]): Nodes[] {
  const isFlow = node.type === 'mdxJsxFlowElement';
  const name = node.name ?? '';
  const before = losses.length;
  const children = (node.children as Nodes[]).flatMap((child) => flatten(child, losses));
  const attributes = readAttributes(node);
  const src = attributes.get('src');
  if (/^(?:img|.*Image|Img|.*Figure|Picture|Photo)$/.test(name) && src) {
    const image: Image = {
      type: 'image',
      url: src,
      alt: attributes.get('alt') ?? '',
      title: attributes.get('title') || null,
    };
    if (node.position !== undefined) image.position = node.position;
    if (!isFlow) return [image];
    const caption = /^[A-Z]/.test(name) ? readAttributeText(attributes, 'caption') : null;
    const below: Nodes[] =
      caption === null ? [] : [{ type: 'paragraph', children: [{ type: 'text', value: caption }] }];
    return [{ type: 'paragraph', children: [image] }, ...below, ...children];
  }
  const href = attributes.get('href') ?? (/Link$/.test(name) ? attributes.get('to') : undefined);
  if (/^(?:a|.*Link)$/.test(name) && href && children.length > 0 && !isFlow) {
    return [{ type: 'link', url: href, children: children as PhrasingContent[], ...copyPosition(node) } as Nodes];
  }
  if (isHtmlName(name)) return wrapInHtml(node, attributes, children);
  const texts = writeAttributeTexts(name, attributes, { children, isFlow });
  if (texts !== null) return texts;
  if (children.length === 0 && losses.length === before && name !== '') report('component', name, node, losses);
  return children;
}

/** Keeps an HTML element as raw HTML tags around its children. */
function wrapInHtml(node: JsxElement, attributes: Map<string, string | null>, children: Nodes[]): Nodes[] {
  const name = node.name ?? '';
  const written = [...attributes].map(([key, value]) =>
    value === null ? ` ${key}` : ` ${key}="${escapeAttribute(value)}"`,
  );
  const html = (value: string): Html => ({ type: 'html', value, ...copyPosition(node) });
  const open = `<${name}${written.join('')}>`;
  if (children.length === 0) return [html(VOID.has(name) ? open : `${open}</${name}>`)];
  return [html(open), ...children, html(`</${name}>`)];
}

const VOID = new Set(['br', 'col', 'hr', 'img', 'input', 'source', 'wbr']);

function isHtmlName(name: string): boolean {
  return /^[a-z][a-z\d]*$/.test(name);
}

function copyPosition(node: Nodes): Pick<Nodes, 'position'> | object {
  return node.position === undefined ? {} : { position: node.position };
}

function escapeAttribute(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/\n/g, ' ');
}

function report(kind: MdxLoss['kind'], source: string, node: Nodes, losses: MdxLoss[]): void {
  const start = node.position?.start;
  losses.push({ kind, source: source.replace(/\s+/g, ' '), line: start?.line ?? 1, column: start?.column ?? 1 });
}

/** Names that React spells differently. Other camel-case names are lowercase in HTML. */
const NAMES: Record<string, string> = { className: 'class', htmlFor: 'for', acceptCharset: 'accept-charset' };

/** Attributes by HTML name; null without a value. No handlers, styles and expressions. */
function readAttributes(node: JsxElement): Map<string, string | null> {
  const attributes = new Map<string, string | null>();
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute' || !/^[a-z][\w-]*$/i.test(attribute.name)) continue;
    const name = NAMES[attribute.name] ?? attribute.name.toLowerCase();
    const { value } = attribute;
    if (/^on/.test(name) || name === 'style') continue;
    if (value === null || value === undefined || typeof value === 'string') attributes.set(name, value ?? null);
    else {
      const literal = readLiteral(value.data?.estree);
      if (literal !== null && literal !== '') attributes.set(name, literal);
    }
  }
  return attributes;
}

interface Expression {
  type: string;
  value?: unknown;
  quasis?: { value: { cooked?: string | null } }[];
}

/** The text of a literal; '' for a comment; null for an expression that requires evaluation. */
function readLiteral(estree: unknown): string | null {
  const { body } = (estree ?? { body: [] }) as { body: { expression?: Expression }[] };
  if (body.length === 0) return '';
  const expression = body[0]?.expression;
  if (body.length > 1 || expression === undefined) return null;
  if (expression.type === 'Literal') {
    const { value } = expression;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  }
  const [only, ...more] = expression.quasis ?? [];
  return expression.type === 'TemplateLiteral' && more.length === 0 ? (only?.value.cooked ?? null) : null;
}
