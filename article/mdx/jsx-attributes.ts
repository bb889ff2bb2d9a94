/** Reads the attributes of JSX elements as HTML attributes, if they are literals. */
import type { Nodes } from 'mdast';
import type {} from 'remark-mdx';

export type JsxElement = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>;

/** Names that React spells differently. Other camel-case names are lowercase in HTML. */
const NAMES: Record<string, string> = { className: 'class', htmlFor: 'for', acceptCharset: 'accept-charset' };

/**
 * Attributes by HTML name; null for one without a value. Leaves out handlers, styles and
 * expressions.
 */
export function readAttributes(node: JsxElement): Map<string, string | null> {
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
export function readLiteral(estree: unknown): string | null {
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
