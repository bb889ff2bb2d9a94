/** Limits of a WordPress site. Core states few; these follow from its tables and common hosting. */
import type { Limits } from '../types.ts';

export const LABEL = 'WordPress';

/** `terms.name` is a VARCHAR(200). */
export const TAG_LENGTH = 200;

export const limits: Limits = {
  // A TEXT column. Longer titles are not readable.
  titleLength: 500,
  // No limit is stated. Each new tag needs a separate request before the post can be created.
  tags: 30,
  // PHP accepts 8 MB in a POST by default; escapes need room.
  bodyBytes: 4 * 1024 * 1024,
  // Core has no rate limit. A small host runs a handful of PHP processes, and every post empties
  // caches, sends pings and mails subscribers. A series of articles must not overload it.
  pacing: { intervalMs: 1000, burst: 3 },
  // Reads come from the same database; a replica or an object cache may lag a moment.
  readLagMs: 1000,
  canFind: true,
  canUpdate: true,
  withdraw: 'unpublished',
  repeat: null,
};
