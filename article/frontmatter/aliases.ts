/**
 * Reads the names that other tools use for a field, if the field of the specification is absent.
 * Such a key may mean something else (2.3, rule 1), so an alias that is unreadable as the field is
 * ignored, not an error.
 */
import { parseHttpUrl } from '../identity/canonical.ts';
import { normaliseSlug } from '../identity/slug.ts';
import { type FieldName, foldName } from './field-names.ts';
import type { FieldNode, Fields } from './field-node.ts';
import { createFieldReader, type FieldReader } from './field-reader.ts';
import { readPublishTime } from './publish-time.ts';

export interface UsedAlias {
  field: FieldName;
  /** As the author wrote it; `taxonomies.tags` for a key inside a table. */
  name: string;
  /** The frontmatter key that contains it. */
  key: string;
  node: FieldNode;
}

/** Adds aliases to `own` and returns those that were used. */
export function applyAliases(own: Fields, others: [string, FieldNode][]): UsedAlias[] {
  const found = collectNames(others);
  const used: UsedAlias[] = [];
  for (const { field, names, isReadable } of ALIASES) {
    if (isFilled(own.get(field))) continue;
    for (const alias of [{ name: foldName(field) }, ...names]) {
      const entry = found.get(alias.name);
      const node = entry === undefined ? null : (alias.read ?? identity)(entry.node);
      if (entry === undefined || node === null || !isReadable(readAlone(field, node))) continue;
      own.set(field, node);
      used.push({ field, ...entry });
      break;
    }
  }
  return used;
}

interface Alias {
  /** Folded: `heroimage` is `heroImage`, `hero_image` and `hero-image`. */
  name: string;
  /** Finds the value of the field in the value of the alias; null if there is none. */
  read?: (node: FieldNode) => FieldNode | null;
}

interface AliasedField {
  field: FieldName;
  /** Nearest in meaning first. */
  names: Alias[];
  /** True if the alias has a valid value for the field. */
  isReadable: (reader: FieldReader) => boolean;
}

const MAX_TEXT = 5_000;

/** Fields that may be spelled differently (`coverImage`), with the names that other tools use. */
const ALIASES: AliasedField[] = [
  { field: 'title', names: [], isReadable: isText('title', 300) },
  { field: 'subtitle', names: [], isReadable: isText('subtitle', 1_000) },
  {
    field: 'excerpt',
    names: list('summary', 'description', 'seodescription', 'metadescription', 'abstract', 'teaser'),
    isReadable: isText('excerpt', MAX_TEXT),
  },
  {
    field: 'tags',
    names: list(
      'topics',
      'keywords',
      'tag',
      'taxonomies.tags',
      'taxonomies.keywords',
      'taxonomies.topics',
      'categories',
      'taxonomies.categories',
    ),
    isReadable: (reader) => reader.tags('tags').length > 0 && reader.problems.length === 0,
  },
  {
    field: 'category',
    names: ['categories', 'taxonomies.categories', 'taxonomies.category'].map((name) => ({ name, read: findText })),
    isReadable: (reader) => normaliseSlug(reader.text('category', 100) ?? '') !== null,
  },
  {
    field: 'canonical_url',
    names: list('canonical', 'canonicallink', 'relcanonical', 'originalurl'),
    isReadable: (reader) => reader.url('canonical_url') !== null,
  },
  { field: 'base_url', names: [], isReadable: (reader) => reader.url('base_url') !== null },
  {
    field: 'cover_image',
    names: [
      ...['cover', 'heroimage', 'hero', 'banner', 'bannerimage', 'featuredimage', 'featureimage', 'image', 'images'],
      ...['ogimage', 'socialimage', 'twitterimage', 'coverimageurl', 'thumbnail', 'thumb'],
    ].map((name) => ({ name, read: findImage })),
    isReadable: (reader) => isImageAddress(reader.text('cover_image', 2048)),
  },
  {
    field: 'generate_toc',
    names: [
      ...list('toc', 'showtoc', 'enabletoc', 'tableofcontents', 'enabletableofcontents', 'showtableofcontents'),
      ...['hidetableofcontents', 'disabletoc', 'notoc'].map((name) => ({ name, read: negate })),
    ],
    isReadable: isFlag('generate_toc'),
  },
  {
    field: 'comments_enabled',
    names: [
      ...list('comments', 'comment', 'enablecomments', 'allowcomments', 'showcomments'),
      ...['disablecomments', 'nocomments', 'hidecomments'].map((name) => ({ name, read: negate })),
    ],
    isReadable: isFlag('comments_enabled'),
  },
  {
    field: 'series_id',
    names: list('series', 'taxonomies.series').map(({ name }) => ({ name, read: findText })),
    isReadable: isText('series_id', 200),
  },
  {
    field: 'scheduled_at',
    names: [],
    isReadable: (reader) => isTime(reader.node('scheduled_at')),
  },
  { field: 'courant_id', names: [], isReadable: isText('courant_id', 200) },
  { field: 'zyvop_id', names: [], isReadable: isText('zyvop_id', 200) },
  {
    field: 'cross_post',
    names: [],
    isReadable: (reader) => reader.flags('cross_post').length > 0 && reader.problems.length === 0,
  },
];

function list(...names: string[]): Alias[] {
  return names.map((name) => ({ name }));
}

function isText(field: FieldName, maxLength: number): (reader: FieldReader) => boolean {
  return (reader) => reader.text(field, maxLength) !== null;
}

function isFlag(field: FieldName): (reader: FieldReader) => boolean {
  return (reader) => reader.flag(field) !== null;
}

function isTime(node: FieldNode | undefined): boolean {
  return node?.kind === 'scalar' && !('problem' in readPublishTime(node.text));
}

/** True for an address or a path; false for a template expression or a keyword of a theme. */
function isImageAddress(text: string | null): boolean {
  if (text === null || /[{}<>\s]/.test(text)) return false;
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? parseHttpUrl(text) !== null : /[./]/.test(text);
}

function readAlone(field: FieldName, node: FieldNode): FieldReader {
  return createFieldReader(new Map([[field, node]]));
}

/**
 * Entries by folded name; those of `[taxonomies]` (Zola) by `taxonomies.<name>`. The first in the
 * file counts.
 */
function collectNames(others: [string, FieldNode][]): Map<string, Omit<UsedAlias, 'field'>> {
  const found = new Map<string, Omit<UsedAlias, 'field'>>();
  const add = (folded: string, name: string, key: string, node: FieldNode): void => {
    if (!found.has(folded) && isFilled(node)) found.set(folded, { name, key, node });
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

function identity(node: FieldNode): FieldNode {
  return node;
}

/** The first text of a list at any depth: Hexo's categories are lists in a list. */
function findText(node: FieldNode): FieldNode | null {
  if (node.kind === 'scalar') return node;
  return node.kind === 'list' && node.items[0] !== undefined ? findText(node.items[0]) : null;
}

const IMAGE_KEYS = ['src', 'url', 'image', 'path', 'href', 'name'];

/** A text, the first of a list, or the `src`, `url` or similar entry of a mapping. */
function findImage(node: FieldNode): FieldNode | null {
  if (node.kind !== 'map')
    return node.kind === 'list' && node.items[0]?.kind === 'map' ? findImage(node.items[0]) : findText(node);
  const entry = IMAGE_KEYS.map((key) => node.entries.find(([name]) => foldName(name) === key)).find((found) => found);
  return entry === undefined ? null : findText(entry[1]);
}

function negate(node: FieldNode): FieldNode | null {
  const flag = createFieldReader(new Map([['flag', node]])).flag('flag');
  return flag === null ? null : { kind: 'scalar', value: !flag, text: String(!flag), place: node.place };
}
