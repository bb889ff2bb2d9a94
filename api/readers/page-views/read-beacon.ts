/**
 * Parses the report of an open page: the referring host and the seconds of reading since the last
 * report.
 */
import { ProblemError } from '../../plugins/errors/problem.ts';

export interface Beacon {
  seconds: number;
  /** Host of the referrer; `direct` without another site. */
  host: string;
}

/** Pages report at least this often. A larger value is forged or comes from a changed clock. */
const MAX_SECONDS = 15 * 60;
/** A public DNS name: it contains a dot and only characters that are safe to display. */
const HOST = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

/**
 * An empty body is a view without reading time. A referrer at `ownHost`, the host of this site,
 * counts as `direct`. Throws a 400 for a malformed report.
 */
export function readBeacon(body: string, ownHost: string): Beacon {
  if (body.trim() === '') return { seconds: 0, host: 'direct' };
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createProblem();
  const { seconds = 0, referrer = '' } = value as { seconds?: unknown; referrer?: unknown };
  if (typeof seconds !== 'number' || !(seconds >= 0) || typeof referrer !== 'string') throw createProblem();
  return { seconds: Math.round(Math.min(seconds, MAX_SECONDS)), host: readHost(referrer, ownHost) };
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
  const detail = 'The body must be empty or a JSON object with seconds (a number) and referrer (a URL).';
  return new ProblemError(400, 'malformed_reading', detail);
}
