/** Readers with browsers that run no script. They register, read pages and send forms. */
import assert from 'node:assert/strict';
import { markdown, type TestApi } from '../../../support/api/api.ts';

/** The specification requires one second. The rest allows for a busy machine. */
export const SOON_MS = 10_000;

export interface Person {
  id: string;
  username: string;
  cookie: string;
}

export function createReaders(api: TestApi) {
  let count = 0;

  /** Registers a reader. The address is confirmed by default. */
  async function join(name: string, { isConfirmed = true } = {}): Promise<Person> {
    count += 1;
    const username = `${name.toLowerCase()}${count}`;
    const { id } = await api.createAuthor(username);
    const change = isConfirmed ? { name } : { name, emailConfirmedAt: null };
    await api.db.updateTable('users').set(change).where('id', '=', id).execute();
    return { id, username, cookie: await signIn(id) };
  }

  async function signIn(userId: string): Promise<string> {
    return `courant_session=${await api.sessions.issue('courant:cookie', userId)}`;
  }

  async function publish(title: string, more: Record<string, unknown> = {}) {
    const { body } = await api.publish({ content: markdown({ title, ...more }) });
    assert.ok(body.data, JSON.stringify(body));
    return body.data;
  }

  async function read(path: string, { cookie = '', from = api, accept = 'text/html' } = {}) {
    const response = await fetch(from.url + path, { headers: { cookie, accept }, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends a form as a page of this site does. `nextPage` is the page after the redirect. */
  async function send(path: string, fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
    const own = { 'sec-fetch-site': 'same-origin', cookie, ...headers };
    const body = new URLSearchParams(fields);
    const response = await fetch(api.url + path, { method: 'POST', body, headers: own, redirect: 'manual' });
    const to = response.headers.get('location');
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const text = await response.text();
    const nextPage = to === null ? '' : (await read(to, { cookie: [cookie, ...cookies].join('; ') })).text;
    return { status: response.status, to, cookies, text, nextPage, notice: readNotice(nextPage || text) };
  }

  return { join, signIn, publish, read, send };
}

export type Readers = ReturnType<typeof createReaders>;

export function readNotice(page: string): string {
  return /role="(?:status|alert)"><p>([^<]*)/.exec(page)?.[1] ?? '';
}

/** Returns the hidden fields of a form as a browser sends them. */
export function readHidden(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, unescapeHtml(value ?? '')]));
}

function unescapeHtml(text: string): string {
  const letters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => letters[entity] ?? '');
}
