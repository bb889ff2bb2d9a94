/**
 * Reads literals that an MDX document exports (`export const metadata = { draft: true }`). They are
 * no fields, but may indicate that it is not public.
 */
import type { Root } from 'mdast';
import type {} from 'remark-mdx';
import type { FieldNode } from '../frontmatter/field-node.ts';

interface Node {
  type: string;
  loc?: { start: { line: number; column: number } } | null;
  declaration?: Node | null;
  declarations?: { id: Node & { name?: string }; init?: Node | null }[];
  properties?: { type: string; key: Node & { name?: string }; value: Node; computed?: boolean }[];
  body?: Node[];
  value?: unknown;
}

/** Exported constants, objects one level deep. The body begins on line `bodyLine`. */
export function listExportedFields(tree: Root, bodyLine: number): [string, FieldNode][] {
  return tree.children.flatMap((child) => {
    if (child.type !== 'mdxjsEsm') return [];
    const statements = (child.data?.estree as Node | undefined)?.body ?? [];
    return statements.flatMap((statement) => readDeclaration(statement, bodyLine));
  });
}

function readDeclaration(statement: Node, bodyLine: number): [string, FieldNode][] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  return (statement.declaration?.declarations ?? []).flatMap(({ id, init }): [string, FieldNode][] => {
    if (id.name === undefined || !init) return [];
    if (init.type !== 'ObjectExpression') return toEntry(id.name, init, bodyLine);
    const entries = (init.properties ?? []).flatMap(({ type, key, value, computed }) => {
      const name = key?.name ?? key?.value;
      return type === 'Property' && !computed && typeof name === 'string' ? toEntry(name, value, bodyLine) : [];
    });
    return [[id.name, { kind: 'map', entries, place: findPlace(init, bodyLine) }]];
  });
}

function toEntry(name: string, { type, value, loc }: Node, bodyLine: number): [string, FieldNode][] {
  if (type !== 'Literal' || !(typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'))
    return [];
  return [
    [name, { kind: 'scalar', value, text: String(value), place: findPlace({ type, loc: loc ?? null }, bodyLine) }],
  ];
}

function findPlace({ loc }: Node, bodyLine: number): FieldNode['place'] {
  return { line: (loc?.start.line ?? 1) + bodyLine - 1, column: (loc?.start.column ?? 0) + 1 };
}
