/**
 * The CLI's flags written back into the frontmatter: comments, order and unknown keys stay, and not a byte of the body
 * changes. What is sent is then one document that says the same to every reader of it.
 */

import type { Fields } from '../frontmatter/field-node.ts';
import { findFences, splitFrontmatter } from '../frontmatter/split-frontmatter.ts';
import { cleanDocument, cleanLine } from '../text/clean-text.ts';
import { DESTINATION_KEYS, type DestinationKey } from '../types.ts';
import type { FieldChange } from './field-change.ts';
import { overrideToml } from './override-toml.ts';
import { overrideYaml } from './override-yaml.ts';

export interface Overrides {
  title?: string;
  subtitle?: string;
  tags?: string[];
  category?: string;
  seriesId?: string;
  canonicalUrl?: string;
  coverImage?: string;
  baseUrl?: string;
  generateToc?: boolean;
  /** Wins over an explicit `status`. */
  draft?: true;
  crossPost?: Partial<Record<DestinationKey, boolean>>;
  /** The file's name without its ending: the title where the frontmatter has none. */
  fileTitle?: string;
}

/**
 * The document with the overrides in its frontmatter. One whose frontmatter cannot be read is returned as it is:
 * `readDocument` then says what is wrong with it, at the author's own lines.
 */
export function applyOverrides(content: string, overrides: Overrides): string {
  const split = splitFrontmatter(cleanDocument(content).text);
  if (!split.ok) return content;
  const changes = changesFor(overrides, split.document.fields);
  if (changes.length === 0) return content;

  const mark = /^\ufeff*/.exec(content)?.[0] ?? '';
  const lines = splitLines(content.slice(mark.length));
  const lineEnd = lines[0]?.end || '\n';
  const fences = findFences(lines.map(({ text }) => text));
  // A thematic break on the first line is found as a fence, and read as text.
  if (fences === null || 'problem' in fences || split.document.bodyLine === 1) {
    const frontmatter = overrideYaml('', changes) ?? '';
    return mark + withLineEnd(`---\n${frontmatter}---\n\n`, lineEnd) + content.slice(mark.length);
  }
  const source = lines
    .slice(fences.open + 1, fences.close)
    .map(({ text }) => `${text}\n`)
    .join('');
  const changed = fences.language === 'toml' ? overrideToml(source, changes) : overrideYaml(source, changes);
  if (changed === null) return content;
  const fence = mark + join(lines.slice(0, fences.open + 1));
  return fence + withLineEnd(changed, lineEnd) + join(lines.slice(fences.close));
}

function changesFor(overrides: Overrides, fields: Fields): FieldChange[] {
  const changes: FieldChange[] = [];
  const set = (key: string, value: string | boolean | string[] | undefined): void => {
    if (value !== undefined) changes.push({ kind: 'value', key, value });
  };
  set('title', overrides.title ?? (hasTitle(fields) ? undefined : overrides.fileTitle));
  set('subtitle', overrides.subtitle);
  set('tags', overrides.tags);
  set('category', overrides.category);
  set('series_id', overrides.seriesId);
  set('canonical_url', overrides.canonicalUrl);
  set('cover_image', overrides.coverImage);
  set('base_url', overrides.baseUrl);
  set('generate_toc', overrides.generateToc);
  set('status', overrides.draft === true ? 'DRAFT' : undefined);
  const flags = mergedFlags(overrides, fields);
  if (flags !== null) changes.push({ kind: 'flags', key: 'cross_post', flags });
  return changes;
}

/** A title of a wrong type counts as one: it is a problem to report, not to hide. */
function hasTitle(fields: Fields): boolean {
  const title = fields.get('title');
  if (title === undefined) return false;
  return title.kind !== 'scalar' || (title.value !== null && cleanLine(title.text) !== '');
}

/** What the author gave and the flags over it; null where there is nothing to write, or no mapping to write into. */
function mergedFlags(overrides: Overrides, fields: Fields): [string, boolean][] | null {
  const given = fields.get('cross_post');
  const wanted = DESTINATION_KEYS.flatMap((key): [string, boolean][] => {
    const flag = overrides.crossPost?.[key];
    return flag === undefined ? [] : [[key, flag]];
  });
  const isReadable = given === undefined || given.kind === 'map' || (given.kind === 'scalar' && given.value === null);
  return wanted.length === 0 || !isReadable ? null : wanted;
}

interface Line {
  text: string;
  /** Empty on the last line of a file without a line end. */
  end: string;
}

function splitLines(content: string): Line[] {
  const parts = content.split(/(\r\n|\n|\r)/);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) lines.push({ text: parts[i] ?? '', end: parts[i + 1] ?? '' });
  return lines;
}

function join(lines: Line[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

function withLineEnd(text: string, lineEnd: string): string {
  return lineEnd === '\n' ? text : text.replace(/\n/g, lineEnd);
}
