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

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d\\d:\\d\\d:\\d\\d';
const IMF_FIXDATE = new RegExp(`^${DAY}, \\d\\d ${MONTH} \\d{4} ${TIME} GMT$`);
/** Obsolete formats that a recipient must accept (RFC 9110, 5.6.7). */
const RFC_850 = new RegExp(`^${DAY}[a-z]{3,6}, \\d\\d-${MONTH}-\\d\\d ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

function readHttpDate(text: string): number | null {
  if (!IMF_FIXDATE.test(text) && !RFC_850.test(text) && !ASCTIME.test(text)) return null;
  const date = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? null : date;
}
