/** The names of frontmatter fields, and how names that authors write are compared with them. */
import { cleanLine } from '../text/clean-text.ts';

/** The fields of the specification (2.3), `courant_id` (this service's name for `id`) and `ai`. */
export const FIELD_NAMES: readonly string[] =
  `title subtitle excerpt tags canonical_url base_url category cover_image generate_toc comments_enabled cross_post
  ai courant_id zyvop_id id slug series_id published draft status scheduled_at`.split(/\s+/);

/** Normalises case and blanks for a comparison: `Draft`, `DRAFT` and `"draft "` become `draft`. */
export function normaliseName(name: string): string {
  return cleanLine(name).normalize('NFKC').toLowerCase();
}

/** Normalises spelling too: `cover_image`, `coverImage` and `Cover Image` become `coverimage`. */
export function foldName(name: string): string {
  return normaliseName(name).replace(/[\s_-]+/g, '');
}

export function showName(name: string): string {
  const line = cleanLine(name);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
