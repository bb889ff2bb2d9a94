/** Evaluates `If-None-Match` and `If-Modified-Since` (RFC 9110, 13.1.2, 13.1.3 and 13.2.2). */
import type { IncomingHttpHeaders } from 'node:http';

export interface Validators {
  etag: string;
  /** Milliseconds since 1970, a whole second. May be in the future. */
  lastModified: number;
}

/** The condition that matched the current version: an entity tag or a date. */
export type Match = 'tag' | 'date';

/** `If-None-Match` takes precedence. A malformed condition is ignored. */
export function matchVersion(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): Match | null {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags === etag || includesTag(tags, etag) ? 'tag' : null;
  const since = headers['if-modified-since'];
  if (since === undefined) return null;
  const date = readHttpDate(since);
  return date !== null && lastModified <= date && date <= Date.now() ? 'date' : null;
}

const TAG = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(,|$)/y;

/** Uses weak comparison. */
function includesTag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  let isIncluded = false;
  TAG.lastIndex = 0;
  while (TAG.lastIndex < list.length) {
    const found = TAG.exec(list);
    if (!found) return false;
    if (found[1] === etag) isIncluded = true;
  }
  return isIncluded;
}

/** The format of RFC 9110, 5.6.7, and the obsolete one of RFC 850. */
const GMT_DATE = /^[a-z]{3,9}, \d\d[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/i;
/** The other obsolete format that a recipient must accept. */
const ASCTIME = /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i;

function readHttpDate(text: string): number | null {
  const date = GMT_DATE.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
