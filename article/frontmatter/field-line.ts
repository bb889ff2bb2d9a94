/**
 * Recognises frontmatter by one line, however broken the rest is: published as text, its settings
 * for drafts and dates would be lost.
 */
import { FIELD_NAMES } from './field-names.ts';

const STATE_NAMES =
  'publish|private|is_?draft|isDraft|save_?as_?draft|visibility|date|pub_?date|publish_?date|permalink';
const OTHER_NAMES = 'layout|description|author|authors|categories|keywords|topics|summary|canonical';

/** A line that begins with a key of a field, of this service or of another tool. */
const FIELD_LINE = createLinePattern([...FIELD_NAMES, STATE_NAMES, OTHER_NAMES].join('|'), 'im');
/** The same in lower case, as tools write it. */
const LOWER_CASE_FIELD_LINE = createLinePattern([...FIELD_NAMES, 'date|layout|description|author'].join('|'), 'm');
/** Keys that rarely begin a sentence. Without a fence, only they indicate frontmatter. */
const DISTINCTIVE_LINE = createLinePattern(
  `title|subtitle|slug|draft|published|status|tags|layout|scheduled_at|categories|cover_image|canonical_url|${STATE_NAMES}`,
  'i',
);

export function hasFieldLine(text: string): boolean {
  return FIELD_LINE.test(text);
}

export function hasLowerCaseFieldLine(text: string): boolean {
  return LOWER_CASE_FIELD_LINE.test(text);
}

export function isDistinctiveKeyLine(line: string | undefined): boolean {
  return line !== undefined && DISTINCTIVE_LINE.test(line);
}

export function isKeyLine(line: string): boolean {
  return /^(?:["']?[\p{L}_][\p{L}\p{N}_ .-]{0,60}["']?[ \t]*(?:=|:(?=\s|$))|["'][^"']{1,60}["'][ \t]*[:=])/u.test(line);
}

function createLinePattern(names: string, flags: string): RegExp {
  return new RegExp(`^(?: {0,3}|["'][ \\t]*)(?:${names})(?:[ \\t]*["'])?[ \\t]*[:=]`, flags);
}
