/** Changes YAML frontmatter, and JSON, which is YAML. Other bytes stay if the text allows it. */
import type { Document } from 'yaml';
import { isBareJson, wrapJson } from '../frontmatter/syntax/json-fields.ts';
import { changeDocument, type FieldChange, parseUnindentedYaml } from './change-yaml.ts';
import { editYaml, PRINT_OPTIONS } from './edit-yaml.ts';

/** The changed source, ending in a line end; null if the source is not a mapping. */
export function overrideYaml(source: string, changes: FieldChange[]): string | null {
  const target = changeDocument(source, changes);
  if (target === null) return null;
  const edited = editYaml(source, changes);
  // Anchors, tags or merged keys can give an edit another meaning. Then the entire tree is printed.
  const isCorrect = edited !== null && hasSameContent(edited, target);
  return endLine(isCorrect ? edited : target.toString(PRINT_OPTIONS.yaml));
}

/** An object, or its members without braces (Hexo). Null if it cannot be changed safely. */
export function overrideJson(source: string, changes: FieldChange[]): string | null {
  if (source.trim() === '') return overrideJson('{}', changes);
  const isBare = isBareJson(source);
  const changed = changeDocument(isBare ? wrapJson(source) : source, changes)?.toString(PRINT_OPTIONS.json);
  if (changed === undefined || !isJson(changed)) return null;
  return endLine(isBare ? changed.trim().slice(1, -1).trim() : changed);
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The new value cannot be written as JSON. The caller keeps the source.
    return false;
  }
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
