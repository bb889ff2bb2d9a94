/** Bounds of a WordPress site. Core states hardly any: these are what its tables and common hosting let through. */
import type { Limits } from '../types.ts';

export const LABEL = 'WordPress';

/** `terms.name` is a VARCHAR(200). */
export const TAG_LENGTH = 200;

export const limits: Limits = {
  // A TEXT column; nobody reads a title as long as this, and the index of titles stays usable.
  titleLength: 500,
  // No bound is stated. Each new tag is a request of its own before the post can be made.
  tags: 30,
  // PHP takes 8 MB in a POST unless told otherwise; escapes need room.
  bodyBytes: 4 * 1024 * 1024,
  // Core counts nothing. A small host runs a handful of PHP processes, and every post empties caches, sends pings and
  // writes to subscribers: a series of articles must not look like an attack to it.
  pacing: { intervalMs: 1000, burst: 3 },
  // Reads come from the database that was written to; a replica or an object cache may be a moment late.
  readLagMs: 1000,
  canFind: true,
  canUpdate: true,
  withdraw: 'unpublished',
  repeat: null,
};
