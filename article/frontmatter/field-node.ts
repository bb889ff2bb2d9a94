/** A frontmatter value with its place in the file, the same for YAML, TOML and JSON. */

/** Line and column count from 1 in the document as sent. */
export interface Place {
  line: number;
  column: number;
}

export type FieldNode =
  /** `text` is the value as written (`1.0`, not `1`), without quotes. */
  | { kind: 'scalar'; value: string | number | bigint | boolean | null; text: string; place: Place }
  | { kind: 'list'; items: FieldNode[]; place: Place }
  | { kind: 'map'; entries: [string, FieldNode][]; place: Place };

export type Fields = Map<string, FieldNode>;

export function describeNode(node: FieldNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a mapping';
  const { value } = node;
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return `${value}`;
  const shown = node.text.length > 60 ? `${node.text.slice(0, 60)}…` : node.text;
  return typeof value === 'string' ? `"${shown}"` : `the number ${shown}`;
}
