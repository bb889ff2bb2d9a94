/**
 * Writes flags, choices and values of an export into the frontmatter. Comments, order, unknown keys
 * and every byte of the body stay.
 */
import { applyAliases } from '../frontmatter/aliases.ts';
import { readCrossPost } from '../frontmatter/cross-post.ts';
import { foldName } from '../frontmatter/field-names.ts';
import type { FieldNode, Fields } from '../frontmatter/field-node.ts';
import { createFieldReader } from '../frontmatter/field-reader.ts';
import { nameFields } from '../frontmatter/name-fields.ts';
import { findFences } from '../frontmatter/syntax/find-fences.ts';
import { splitFrontmatter } from '../frontmatter/syntax/split-frontmatter.ts';
import { cleanDocument } from '../text/clean-text.ts';
import { type ArticleStatus, DESTINATION_KEYS, type DestinationKey } from '../types.ts';
import type { FieldChange, Flag } from './change-yaml.ts';
import { overrideToml } from './override-toml.ts';
import { overrideJson, overrideYaml } from './override-yaml.ts';

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
  /** Takes precedence over an explicit `status`. */
  draft?: true;
  /** The state to write; `scheduledAt` is its time if it is SCHEDULED. */
  status?: ArticleStatus;
  scheduledAt?: string;
  /** This service's name for the id. The value of `id` stays. */
  courantId?: string;
  crossPost?: Partial<Record<DestinationKey, boolean>>;
}

/**
 * Unreadable frontmatter stays unchanged, so that `readDocument` reports the problem at the
 * author's own lines.
 */
export function applyOverrides(content: string, overrides: Overrides): string {
  const split = splitFrontmatter(cleanDocument(content).text);
  if (!split.ok) return content;
  const changes = listChanges(overrides, split.document.fields);
  if (changes.length === 0) return content;

  const mark = /^\ufeff*/.exec(content)?.[0] ?? '';
  const lines = splitLines(content.slice(mark.length));
  const lineEnd = lines[0]?.end || '\n';
  const fences = findFences(lines.map(({ text }) => text));
  // A thematic break on the first line looks like a fence but is text.
  if (fences === null || 'problem' in fences || split.document.bodyLine === 1) {
    const frontmatter = overrideYaml('', changes) ?? '';
    return mark + setLineEnds(`---\n${frontmatter}---\n\n`, lineEnd) + content.slice(mark.length);
  }
  const between = lines.slice(fences.start, fences.end);
  const source = between.map(({ text }) => `${text}\n`).join('');
  const override = OVERRIDE[fences.language];
  // None of the languages accepts control characters. If the source has one, tries it without.
  const changed = override(source, changes) ?? override(cleanDocument(source).text, changes);
  if (changed === null) return content;
  const above = mark + joinLines(lines.slice(0, fences.start));
  return above + joinLines(preserveLineEnds(between, changed, lineEnd)) + joinLines(lines.slice(fences.end));
}

/** The lines of the changed text. Unchanged lines at its start and end keep their line ends. */
function preserveLineEnds(before: Line[], changed: string, lineEnd: string): Line[] {
  const texts = changed.split('\n').slice(0, -1);
  const shorter = Math.min(before.length, texts.length);
  let first = 0;
  while (first < shorter && before[first]?.text === texts[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last)?.text === texts.at(-1 - last)) last += 1;
  const added = texts.slice(first, texts.length - last).map((text) => ({ text, end: lineEnd }));
  return [...before.slice(0, first), ...added, ...before.slice(before.length - last)];
}

const OVERRIDE = { yaml: overrideYaml, toml: overrideToml, json: overrideJson };

/** The frontmatter key of each override, in the order in which they are added. */
const KEYS = [
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['tags', 'tags'],
  ['category', 'category'],
  ['seriesId', 'series_id'],
  ['canonicalUrl', 'canonical_url'],
  ['coverImage', 'cover_image'],
  ['baseUrl', 'base_url'],
  ['generateToc', 'generate_toc'],
  ['courantId', 'courant_id'],
  ['status', 'status'],
  ['scheduledAt', 'scheduled_at'],
] as const;

function listChanges(overrides: Overrides, written: Fields): FieldChange[] {
  const { own: fields, others } = nameFields(written);
  const values = { ...overrides, ...(overrides.draft === true && { status: 'DRAFT' }) };
  const changes = KEYS.flatMap(([name, key]): FieldChange[] => {
    const value = values[name];
    return value === undefined ? [] : [{ kind: 'value', key, value }];
  });
  const flags = DESTINATION_KEYS.flatMap((key): Flag[] => {
    const flag = overrides.crossPost?.[key];
    return flag === undefined ? [] : [[key, flag]];
  });
  // Flags under an alias such as `crossPost` have no effect beside `cross_post`.
  if (fields.get('cross_post')?.kind !== 'map') applyAliases(fields, others);
  const node = fields.get('cross_post');
  if (flags.length === 0 || (node !== undefined && node.kind !== 'map' && !isNull(node))) return changes;
  const read = readCrossPost(createFieldReader(fields), []).flags;
  const names = new Set(node?.kind === 'map' ? node.entries.map(([name]) => foldName(name)) : []);
  const unchanged = DESTINATION_KEYS.filter(
    (key) => names.has(foldName(key)) && overrides.crossPost?.[key] === undefined,
  );
  const current = unchanged.map((key): Flag => [key, read[key]]);
  return [...changes, { kind: 'flags', key: 'cross_post', flags, current }];
}

function isNull(node: FieldNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

interface Line {
  text: string;
  end: string;
}

function splitLines(content: string): Line[] {
  const parts = content.split(/(\r\n|\n|\r)/);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) lines.push({ text: parts[i] ?? '', end: parts[i + 1] ?? '' });
  return lines;
}

function joinLines(lines: Line[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

function setLineEnds(text: string, lineEnd: string): string {
  return lineEnd === '\n' ? text : text.replace(/\n/g, lineEnd);
}
