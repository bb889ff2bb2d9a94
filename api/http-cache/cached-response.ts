/**
 * An answer as it is sent, made once for all who ask: its headers, and its body in each content coding that somebody asked for. Each coding
 * has an ETag of its own, since a strong one stands for the bytes: who keeps one form is never told that another is what it has. It stands for the
 * headers that go with them, too, so that a 304 need not repeat them.
 */
import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { SECURITY_HEADERS } from '../plugins/security-headers.ts';
import type { Answer, Redirect } from './respond.ts';
import { type Coding, compress, isWorthCompressing } from './encodings.ts';
import type { Match, Validators } from './preconditions.ts';

/**
 * A browser may show what it has while it asks for the present version, for one second: what is withdrawn is not seen for longer. Nobody
 * keeps anything without asking.
 */
const CACHE_CONTROL = 'public, max-age=0, stale-while-revalidate=1';
const ALREADY = 0;
/** Of an object with its headers, roughly. */
const OVERHEAD_BYTES = 3_000;

/** What a 304 has to repeat (RFC 9110, 15.4.5), and what lets a page of another origin read it. */
const OF_NOT_MODIFIED = /^(cache-control|content-location|vary|access-control-.*)$/;

type Headers = Record<string, string>;

/** Complete, names in lower case. */
interface Head {
  headers: Headers;
  /** The same as `http` takes them fastest: name, value, name, value. */
  list: string[];
}

export interface Form {
  status: number;
  body: Buffer;
  head: Head;
  /** Null where nobody else may keep it. */
  validators: Validators | null;
  /** By what told that it is not modified: who names the ETag has every header that goes with it, who has a date may have those of before. */
  notModified: Record<Match, Head>;
  /** In milliseconds since 1970: from then on it has a `Last-Modified`. */
  datedFrom: number;
}

export class Sendable {
  readonly shows: Answer['shows'];
  readonly mayBeKept: boolean;
  readonly variesByAccept: boolean;
  readonly #status: number;
  readonly #body: Buffer;
  readonly #hash: string;
  /** The end of the second of the last change: a date names no two versions, were it sent in that second or not. */
  readonly #lastModified: number | null;
  readonly #hasCodings: boolean;
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
    this.#lastModified = lastModified && (Math.floor(lastModified.getTime() / 1000) + 1) * 1000;
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
    const hash = createHash('sha256')
      .update(JSON.stringify([this.#common, this.#ofBody]))
      .update(this.#body);
    this.#hash = hash.digest('base64url').slice(0, 27);
  }

  /** In memory; more once it is asked for in further codings. */
  get bytes(): number {
    let bytes = OVERHEAD_BYTES + this.#body.length;
    for (const { body } of this.#forms.values()) bytes += OVERHEAD_BYTES + (body === this.#body ? 0 : body.length);
    return bytes;
  }

  /** Undefined where it is yet to be made. */
  getForm(wanted: Coding): Form | undefined {
    const coding = this.#hasCodings ? wanted : 'identity';
    const form = this.#forms.get(coding);
    if (!form || form.datedFrom === ALREADY || Date.now() < form.datedFrom) return form;
    return this.#keepForm(coding, form.body);
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
    return this.#keepForm(coding, coding === 'identity' ? this.#body : await compress(this.#body, coding));
  }

  #keepForm(coding: Coding, body: Buffer): Form {
    const validators = this.#buildValidators(coding);
    const isDated = !validators || validators.lastModified <= Date.now();
    const ofVersion: Headers = validators ? { etag: validators.etag } : {};
    if (validators && isDated) ofVersion['last-modified'] = new Date(validators.lastModified).toUTCString();
    const ofBody = { ...this.#ofBody, 'content-length': String(body.length) };
    const ofCoding = coding === 'identity' ? {} : { 'content-encoding': coding };
    const repeated = Object.entries(this.#common).filter(([name]) => OF_NOT_MODIFIED.test(name));
    const form: Form = {
      status: this.#status,
      body,
      head: toHead({ ...this.#common, ...ofVersion, ...ofBody, ...ofCoding }),
      validators,
      notModified: {
        tag: toHead({ ...Object.fromEntries(repeated), ...ofVersion }),
        date: toHead({ ...this.#common, ...ofVersion }),
      },
      datedFrom: validators && !isDated ? validators.lastModified : ALREADY,
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

function toHead(headers: Headers): Head {
  return { headers, list: Object.entries(headers).flat() };
}

const MOVED = { type: '', body: '', headers: {}, lastModified: null };

function lowerNames(headers: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
