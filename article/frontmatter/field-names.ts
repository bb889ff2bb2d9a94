/** The names of frontmatter fields: those of the specification, and how names that authors write are compared with them. */
import { cleanLine } from '../text/clean-text.ts';

/** The fields of the specification (2.3), this service's own name for `id`, and what agents may do (`ai`). */
export const FIELD_NAMES = [
  'title',
  'subtitle',
  'excerpt',
  'tags',
  'canonical_url',
  'base_url',
  'category',
  'cover_image',
  'generate_toc',
  'comments_enabled',
  'cross_post',
  'ai',
  'courant_id',
  'zyvop_id',
  'id',
  'slug',
  'series_id',
  'published',
  'draft',
  'status',
  'scheduled_at',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** `Draft`, `DRAFT` and `"draft "` are `draft`: the form in which keys are the same key. */
export function normaliseName(name: string): string {
  return cleanLine(name).normalize('NFKC').toLowerCase();
}

/** `coverImage`, `cover-image` and `Cover Image` are spellings of `cover_image`: the form in which they are equal. */
export function foldName(name: string): string {
  return normaliseName(name).replace(/[\s_-]+/g, '');
}

/** A name as it is shown in a message. */
export function showName(name: string): string {
  const line = cleanLine(name);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
