/** A signed-in client without a browser: a session cookie, pages and forms. */
import type { TestApi } from './api.ts';

export interface DeskAnswer {
  status: number;
  /** The address that the response redirects to. */
  location: string | null;
  text: string;
}

export interface DeskVisitor {
  cookie: string;
  get(path: string): Promise<DeskAnswer>;
  /** Sends a form like a page of this site; `headers` override its headers. */
  post(
    path: string,
    fields?: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ): Promise<DeskAnswer>;
  /** Sends a form, follows the redirect, and returns that page. */
  submit(path: string, fields?: Record<string, string> | URLSearchParams): Promise<DeskAnswer>;
}

export async function visitDesk(api: TestApi, userId: string): Promise<DeskVisitor> {
  const session = `courant_session=${await api.sessions.issue('courant:cookie', userId)}`;
  let notice = '';
  const request = async (path: string, init: RequestInit = {}): Promise<DeskAnswer> => {
    const cookie = `${session}; ${notice}`;
    const headers = { accept: 'text/html', cookie, ...init.headers };
    const response = await fetch(api.url + path, { ...init, headers, redirect: 'manual' });
    notice =
      response.headers
        .getSetCookie()
        .find((header) => header.startsWith('courant_notice='))
        ?.split(';')[0] ?? '';
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };
  const post: DeskVisitor['post'] = (path, fields = {}, headers = {}) =>
    request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  return {
    cookie: session,
    get: (path) => request(path),
    post,
    async submit(path, fields) {
      const { status, location, text } = await post(path, fields);
      return location === null ? { status, location, text } : request(location);
    },
  };
}
