/** Changes YAML frontmatter, and JSON, which is YAML. Other bytes stay if the text allows it. */
import type { Document } from 'yaml';
import { changeDocument, parseUnindentedYaml } from './change-yaml.ts';
import { editYaml } from './edit-yaml.ts';
import type { FieldChange } from './field-change.ts';
import { PRINT_OPTIONS, type YamlStyle } from './print-yaml.ts';

/** The changed source, ending in a line end; null if the source is not a mapping. */
export function overrideYaml(source: string, changes: FieldChange[]): string | null {
  return override(source, changes, 'yaml');
}

/** Like `overrideYaml`, but writes additions as JSON. */
export function overrideJsonObject(source: string, changes: FieldChange[]): string | null {
  return override(source, changes, 'json');
}

function override(source: string, changes: FieldChange[], style: YamlStyle): string | null {
  const target = changeDocument(source, changes);
  if (target === null) return null;
  const edited = editYaml(source, { changes, target, style });
  // Anchors, tags or merged keys can give an edit another meaning. Then the entire tree is printed.
  const isCorrect = edited !== null && hasSameContent(edited, target);
  const text = isCorrect ? edited : target.toString(PRINT_OPTIONS[style]);
  return text.endsWith('\n') ? text : `${text}\n`;
}

function hasSameContent(text: string, target: Document): boolean {
  const doc = parseUnindentedYaml(text);
  const content = doc === null ? null : describe(doc);
  return content !== null && content === describe(target);
}

function describe(doc: Document): string | null {
  try {
    return JSON.stringify(doc.toJS(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch (error) {
    // An alias without a target, or too many aliases.
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}
