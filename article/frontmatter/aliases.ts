/**
 * Reads the names that other tools use for an absent field. Such a key may mean something else
 * (2.3, rule 1), so an unreadable alias is ignored, not an error.
 */
import { parseHttpUrl } from '../identity/canonical.ts';
import type { Notice } from '../types.ts';
import { foldName, showName } from './field-names.ts';
import type { FieldNode, Fields } from './field-node.ts';
import { createFieldReader } from './field-reader.ts';
import { READERS } from './fields.ts';
import { readPublishTime } from './publish-time.ts';

export interface UsedAlias {
  field: AliasedField;
  /** As the author wrote it; `taxonomies.tags` for a key inside a table. */
  name: string;
  key: string;
  node: FieldNode;
}

type AliasedField = keyof typeof READERS;

export function applyAliases(own: Fields, others: [string, FieldNode][]): UsedAlias[] {
  const found = collectNames(others);
  const used: UsedAlias[] = [];
  for (const [field, names, read] of ALIASES) {
    if (isFilled(own.get(field))) continue;
    for (const name of [foldName(field), ...names.split(' ')]) {
      const entry = found.get(name);
      const node = entry === undefined ? null : read === undefined ? entry.node : read(entry.node);
      if (entry === undefined || node === null || !isReadable(field, node)) continue;
      own.set(field, node);
      used.push({ field, ...entry });
      break;
    }
  }
  return used;
}

/** Reports, for a dry run, how keys were treated. Leaves out keys with warnings (`doubts`). */
export function listHints(others: [string, FieldNode][], aliases: UsedAlias[], doubts: Notice[]): Notice[] {
  const reported = new Set(
    [...aliases.map(({ node }) => node.place), ...doubts].map(({ line, column }) => `${line}:${column}`),
  );
  const used = new Set(aliases.map(({ key }) => key));
  const read = aliases.map(({ field, name, node }): Notice => {
    const path = showName(name);
    return { code: 'field_alias', path, message: `${path} is read as ${field}.`, ...node.place };
  });
  const unread = others
    .filter(([key, node]) => !used.has(key) && !reported.has(`${node.place.line}:${node.place.column}`))
    .map(([key, node]): Notice => {
      const path = showName(key);
      return { code: 'field_ignored', path, message: `${path} is ignored.`, ...node.place };
    });
  return [...read, ...unread];
}

/**
 * Fields that may be spelled differently (`coverImage`), with folded names of other tools, nearest
 * in meaning first, and a function that finds the value in theirs.
 */
const ALIASES: [field: AliasedField, names: string, read?: (node: FieldNode) => FieldNode | null][] = [
  ['title', ''],
  ['subtitle', ''],
  ['excerpt', 'summary description seodescription metadescription abstract teaser'],
  [
    'tags',
    'topics keywords tag taxonomies.tags taxonomies.keywords taxonomies.topics categories taxonomies.categories',
  ],
  ['category', 'categories taxonomies.categories taxonomies.category', findText],
  ['canonical_url', 'canonical canonicallink relcanonical originalurl'],
  ['base_url', ''],
  [
    'cover_image',
    'cover heroimage hero banner bannerimage featuredimage featureimage image images ogimage socialimage twitterimage coverimageurl thumbnail thumb',
    findImage,
  ],
  ['generate_toc', 'toc showtoc enabletoc tableofcontents enabletableofcontents showtableofcontents'],
  ['generate_toc', 'hidetableofcontents disabletoc notoc', negate],
  ['comments_enabled', 'comments comment enablecomments allowcomments showcomments'],
  ['comments_enabled', 'disablecomments nocomments hidecomments', negate],
  ['series_id', 'series taxonomies.series', findText],
  ['scheduled_at', '', findTime],
  ['courant_id', ''],
  ['zyvop_id', ''],
  ['cross_post', ''],
];

function isReadable(field: AliasedField, node: FieldNode): boolean {
  const reader = createFieldReader(new Map([[field, node]]));
  const value = READERS[field](reader);
  return value !== null && !(Array.isArray(value) && value.length === 0) && reader.problems.length === 0;
}

function findTime(node: FieldNode): FieldNode | null {
  return node.kind === 'scalar' && !('problem' in readPublishTime(node.text)) ? node : null;
}

/** Entries by folded name, those of `[taxonomies]` (Zola) by `taxonomies.<name>`. */
function collectNames(others: [string, FieldNode][]): Map<string, Omit<UsedAlias, 'field'>> {
  const found = new Map<string, Omit<UsedAlias, 'field'>>();
  const add = (folded: string, name: string, key: string, node: FieldNode): void => {
    // `_` folds to nothing.
    if (folded !== '' && !found.has(folded) && isFilled(node)) found.set(folded, { name, key, node });
  };
  for (const [key, node] of others) {
    const name = foldName(key);
    add(name, key, key, node);
    if (name !== 'taxonomies' || node.kind !== 'map') continue;
    for (const [inner, item] of node.entries) add(`taxonomies.${foldName(inner)}`, `${key}.${inner}`, key, item);
  }
  return found;
}

function isFilled(node: FieldNode | undefined): boolean {
  return (
    node !== undefined &&
    !(node.kind === 'scalar' && (node.value === null || node.text.trim() === '' || node.value === ''))
  );
}

/** The first text of a list at any depth: Hexo's categories are lists in a list. */
function findText(node: FieldNode): FieldNode | null {
  if (node.kind === 'scalar') return node;
  return node.kind === 'list' && node.items[0] !== undefined ? findText(node.items[0]) : null;
}

const IMAGE_KEYS = ['src', 'url', 'image', 'path', 'href', 'name'];

/** A text, the first of a list, or the `src`, `url` or similar entry of a mapping. */
function findImage(node: FieldNode): FieldNode | null {
  if (node.kind === 'list' && node.items[0]?.kind === 'map') return findImage(node.items[0]);
  const entries = node.kind === 'map' ? node.entries : [];
  const entry = IMAGE_KEYS.map((key) => entries.find(([name]) => foldName(name) === key)).find((found) => found);
  const text = node.kind === 'map' ? entry && findText(entry[1]) : findText(node);
  return text?.kind === 'scalar' && isImageAddress(text.text) ? text : null;
}

/** True for an address or a path; false for a template expression or a keyword of a theme. */
function isImageAddress(text: string): boolean {
  if (/[{}<>\s]/.test(text)) return false;
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? parseHttpUrl(text) !== null : /[./]/.test(text);
}

function negate(node: FieldNode): FieldNode | null {
  const flag = createFieldReader(new Map([['flag', node]])).flag('flag');
  return flag === null ? null : { kind: 'scalar', value: !flag, text: String(!flag), place: node.place };
}
