/**
 * Reads each field of the specification (2.3) with its type and limits. The names of other tools
 * for a field (`aliases.ts`) are used only if the reader accepts their value.
 */
import { normaliseSlug } from '../identity/slug.ts';
import { MAX_TITLE_LENGTH } from '../markdown/find-title.ts';
import { type FieldReader, MAX_URL_LENGTH } from './field-reader.ts';

const MAX_ID = 200;

export const READERS = {
  title: (reader) => reader.text('title', MAX_TITLE_LENGTH),
  subtitle: (reader) => reader.text('subtitle', 1_000),
  excerpt: (reader) => reader.text('excerpt', 5_000),
  tags: (reader) => reader.tags('tags'),
  category: readCategory,
  canonical_url: (reader) => reader.url('canonical_url'),
  base_url: (reader) => reader.url('base_url'),
  cover_image: (reader) => reader.text('cover_image', MAX_URL_LENGTH),
  generate_toc: (reader) => reader.flag('generate_toc'),
  comments_enabled: (reader) => reader.flag('comments_enabled'),
  series_id: (reader) => reader.text('series_id', MAX_ID),
  courant_id: (reader) => reader.text('courant_id', MAX_ID),
  zyvop_id: (reader) => reader.text('zyvop_id', MAX_ID),
  id: (reader) => reader.text('id', MAX_ID),
  slug: (reader) => reader.text('slug', 300),
  scheduled_at: (reader) => reader.node('scheduled_at') ?? null,
  cross_post: (reader) => reader.flags('cross_post'),
} satisfies Record<string, (reader: FieldReader) => unknown>;

/** Names of this service take precedence, because other tools use `id` for their own purposes. */
export function readExternalId(reader: FieldReader): string | null {
  const ids = [READERS.courant_id(reader), READERS.zyvop_id(reader), READERS.id(reader)];
  return ids.find((id) => id !== null) ?? null;
}

function readCategory(reader: FieldReader): string | null {
  const node = reader.node('category');
  const text = reader.text('category', 100);
  if (node === undefined || text === null) return null;
  const slug = normaliseSlug(text);
  if (slug === null) reader.report('category', `category must contain letters or digits; found "${text}".`, node);
  return slug;
}
