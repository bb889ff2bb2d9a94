/** A signed-in author with a browser that runs no script. */
import { register } from '../../../api/accounts/sign-in/register.ts';
import type { TestApi } from '../../support/api/api.ts';

export const PASSWORD = 'a long and lovely one';

export interface Visitor {
  userId: string;
  username: string;
  email: string;
  /** Cookies of this browser. Each response updates them. */
  cookies: Map<string, string>;
  get(path: string): Promise<Page>;
  send(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
}

export interface Page {
  status: number;
  location: string | null;
  text: string;
  headers: Headers;
}

/** Registers an account. Its address is confirmed by default. */
export async function openVisitor(api: TestApi, username: string, { confirmed = true } = {}): Promise<Visitor> {
  const email = `${username}@example.org`;
  const client = { address: `192.0.2.${Math.floor(Math.random() * 250)}`, userAgent: null };
  const { owner } = await register(api.accounts, client, {
    username,
    name: `Name of ${username}`,
    email,
    password: PASSWORD,
  });
  if (confirmed) {
    await api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('id', '=', owner.userId).execute();
  }
  const { token } = await api.accounts.sessions.issue('courant:cookie', owner);
  const cookies = new Map([['courant_session', token]]);
  return visit(api, { userId: owner.userId, username, email }, cookies);
}

/** Opens another session of the same account in a new browser. */
export async function signInAgain(api: TestApi, visitor: Visitor): Promise<Visitor> {
  const cookies = new Map<string, string>();
  const again = visit(api, visitor, cookies);
  await again.send('/login', { email: visitor.email, password: PASSWORD });
  return again;
}

function visit(
  api: TestApi,
  { userId, username, email }: Pick<Visitor, 'userId' | 'username' | 'email'>,
  cookies: Map<string, string>,
): Visitor {
  const sendRequest = async (path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', cookie, ...init.headers };
    const response = await fetch(api.url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line);
    const location = response.headers.get('location');
    return { status: response.status, location, text: await response.text(), headers: response.headers };
  };
  return {
    ...{ userId, username, email, cookies },
    get: (path) => sendRequest(path, {}),
    send: (path, fields = {}, headers = {}) =>
      sendRequest(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      }),
  };
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
