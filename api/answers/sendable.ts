/**
 * An answer as it is sent, made once for all who ask: its headers, and its body in each content coding that somebody asked for. Each coding
 * has an ETag of its own, since a strong one stands for the bytes: who keeps one form is never told that another is what it has.
 */
import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { SECURITY_HEADERS } from '../plugins/security-headers.ts';
import type { Answer, Redirect } from './answer.ts';
import { type Coding, compress, isWorthCompressing } from './codings.ts';
import type { Validators } from './conditions.ts';

/**
 * A browser may show what it has while it asks for the present version, for one second: what is withdrawn is not seen for longer. Nobody
 * keeps anything without asking.
 */
const CACHE_CONTROL = 'public, max-age=0, stale-while-revalidate=1';
/** Of an object with its headers, roughly. */
const OVERHEAD_BYTES = 3_000;

type Headers = Record<string, string>;

export interface Form {
  status: number;
  body: Buffer;
  /** Complete, names in lower case. */
  headers: Headers;
  /** The same as `http` takes them fastest: name, value, name, value. */
  headerList: string[];
  /** Null where nobody else may keep it. */
  validators: Validators | null;
  notModifiedHeaders: Headers;
  notModifiedList: string[];
}

export class Sendable {
  readonly shows: Answer['shows'];
  readonly mayBeKept: boolean;
  readonly variesByAccept: boolean;
  readonly #status: number;
  readonly #body: Buffer;
  readonly #hash: string;
  readonly #lastModified: number | null;
  readonly #hasCodings: boolean;
  /** That a 304 repeats: browsers take them over in place of those they have. */
  readonly #common: Headers;
  readonly #ofBody: Headers;
  readonly #forms = new Map<Coding, Form>();
  readonly #making = new Map<Coding, Promise<Form>>();

  constructor(answer: Answer | Redirect) {
    const { type, body, headers, lastModified } = answer.status === 301 ? MOVED : answer;
    this.shows = answer.shows;
    this.mayBeKept = (answer.status === 200 || answer.status === 301) && answer.shows.length > 0;
    this.#status = answer.status;
    this.#body = typeof body === 'string' ? Buffer.from(body) : body;
    this.#hash = createHash('sha256').update(this.#body).digest('base64url').slice(0, 27);
    this.#lastModified = lastModified && Math.floor(lastModified.getTime() / 1000) * 1000;
    this.#hasCodings = isWorthCompressing(type, this.#body);
    this.#ofBody = answer.status === 301 ? { location: answer.location } : { 'content-type': type };
    const given = lowerNames(headers);
    this.variesByAccept = (given.vary ?? '').split(/[\s,]+/).some((name) => name.toLowerCase() === 'accept');
    this.#common = { ...SECURITY_HEADERS, ...given };
    this.#common['cache-control'] ??= answer.status === 301 || lastModified ? CACHE_CONTROL : 'no-store';
    if (this.#hasCodings) this.#common.vary = given.vary ? `${given.vary}, accept-encoding` : 'accept-encoding';
    // Here it is one answer that fails; at the front door, outside of the framework, it would be the process.
    for (const headers of [this.#common, this.#ofBody]) {
      for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    }
  }

  /** In memory; more once it is asked for in further codings. */
  get bytes(): number {
    let bytes = OVERHEAD_BYTES + this.#body.length;
    for (const { body } of this.#forms.values()) bytes += OVERHEAD_BYTES + (body === this.#body ? 0 : body.length);
    return bytes;
  }

  /** Undefined where it is yet to be made. */
  getForm(coding: Coding): Form | undefined {
    return this.#forms.get(this.#hasCodings ? coding : 'identity');
  }

  makeForm(wanted: Coding): Promise<Form> {
    const coding = this.#hasCodings ? wanted : 'identity';
    const begun = this.#making.get(coding);
    if (begun) return begun;
    const making = this.#compose(coding);
    this.#making.set(coding, making);
    return making;
  }

  async #compose(coding: Coding): Promise<Form> {
    const body = coding === 'identity' ? this.#body : await compress(this.#body, coding);
    const notModifiedHeaders = { ...this.#common };
    const validators = this.#buildValidators(coding);
    if (validators) {
      notModifiedHeaders.etag = validators.etag;
      notModifiedHeaders['last-modified'] = new Date(validators.lastModified).toUTCString();
    }
    const headers: Headers = { ...notModifiedHeaders, ...this.#ofBody, 'content-length': String(body.length) };
    if (coding !== 'identity') headers['content-encoding'] = coding;
    const form: Form = {
      status: this.#status,
      body,
      headers,
      headerList: Object.entries(headers).flat(),
      validators,
      notModifiedHeaders,
      notModifiedList: Object.entries(notModifiedHeaders).flat(),
    };
    this.#forms.set(coding, form);
    return form;
  }

  #buildValidators(coding: Coding): Validators | null {
    if (this.#lastModified === null || this.#status !== 200) return null;
    const etag = coding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${coding}"`;
    return { etag, lastModified: this.#lastModified };
  }
}

const MOVED = { type: '', body: '', headers: {}, lastModified: null };

function lowerNames(headers: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
