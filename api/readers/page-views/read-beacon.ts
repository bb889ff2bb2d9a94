/** What a page reports of its reader: that it was opened, from where, and for how long it was read since the last report. */
import { ProblemError } from '../../plugins/errors/problem.ts';

export interface Beacon {
  seconds: number;
  /** `direct` where no other site sent the reader. */
  host: string;
}

/** A page reports at least this often; what is above is a clock that was changed, or a lie. */
const MOST_SECONDS = 15 * 60;
/** A name of the public DNS: with a dot, and nothing that a list could not show. */
const HOST = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

/** An empty body is a view. `ownHost` is that of this site, from page to page of which nobody was sent. Throws a 400 for what is no report. */
export function readBeacon(body: string, ownHost: string): Beacon {
  if (body.trim() === '') return { seconds: 0, host: 'direct' };
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createProblem();
  const { seconds = 0, referrer = '' } = value as { seconds?: unknown; referrer?: unknown };
  if (typeof seconds !== 'number' || !(seconds >= 0) || typeof referrer !== 'string') throw createProblem();
  return { seconds: Math.round(Math.min(seconds, MOST_SECONDS)), host: readHost(referrer, ownHost) };
}

function readHost(referrer: string, ownHost: string): string {
  if (!/^https?:\/\//i.test(referrer) || !URL.canParse(referrer)) return 'direct';
  const host = trim(new URL(referrer).hostname);
  return HOST.test(host) && host !== trim(ownHost) ? host : 'direct';
}

function trim(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw createProblem();
  }
}

function createProblem(): ProblemError {
  const detail = 'The body is empty, or a JSON object with seconds (a number) and referrer (an address).';
  return new ProblemError(400, 'malformed_reading', detail);
}
