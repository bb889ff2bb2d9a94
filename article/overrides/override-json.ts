/** Changes JSON frontmatter: an object, or its members without braces (Hexo). */
import { isBareJson, wrapJson } from '../frontmatter/syntax/json-fields.ts';
import type { FieldChange } from './field-change.ts';
import { overrideJsonObject } from './override-yaml.ts';

/** The changed source, ending in a line end; null if it cannot be changed safely. */
export function overrideJson(source: string, changes: FieldChange[]): string | null {
  if (source.trim() === '') return overrideJson('{}', changes);
  const isBare = isBareJson(source);
  const changed = overrideJsonObject(isBare ? wrapJson(source) : source, changes);
  if (changed === null || !isJson(changed)) return null;
  return isBare ? `${changed.trim().slice(1, -1).trim()}\n` : changed;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The author's source is JSON, so the new value cannot be written as JSON. The caller keeps the
    // source.
    return false;
  }
}
