/** Changes YAML frontmatter, and JSON, which is YAML. What is not to be changed keeps its bytes, wherever its text allows that. */
import type { Document } from 'yaml';
import { changeDocument, parseAsIs } from './change-yaml.ts';
import { editYaml } from './edit-yaml.ts';
import type { FieldChange } from './field-change.ts';
import { PRINT_OPTIONS, type YamlStyle } from './print-yaml.ts';

/** The changed source, ending in a line end; null if the source is not a mapping. */
export function overrideYaml(source: string, changes: FieldChange[]): string | null {
  return override(source, changes, 'yaml');
}

/** The same for JSON: what is added is written as JSON. */
export function overrideJsonObject(source: string, changes: FieldChange[]): string | null {
  return override(source, changes, 'json');
}

function override(source: string, changes: FieldChange[], style: YamlStyle): string | null {
  const meant = changeDocument(source, changes);
  if (meant === null) return null;
  const edited = editYaml(source, { changes, meant, style });
  // Where an edit of the text says something else (anchors, tags, merged keys may be in its way), the tree is printed as a whole.
  const isMeant = edited !== null && saysTheSame(edited, meant);
  const text = isMeant ? edited : meant.toString(PRINT_OPTIONS[style]);
  return text.endsWith('\n') ? text : `${text}\n`;
}

function saysTheSame(text: string, meant: Document): boolean {
  const doc = parseAsIs(text);
  const said = doc === null ? null : describe(doc);
  return said !== null && said === describe(meant);
}

function describe(doc: Document): string | null {
  try {
    return JSON.stringify(doc.toJS(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch (error) {
    // Of an alias that stands for nothing, or of too many of them.
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}
