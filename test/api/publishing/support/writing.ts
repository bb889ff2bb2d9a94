/** Uses the page for writing like a browser without script. */
import type { TestApi, TestAuthor } from '../../../support/api/api.ts';

type Fields = Record<string, string | File>;

/** Signs in as the author of the test API. */
export async function openWritePage(api: TestApi) {
  const cookie = await signIn(api.author);

  async function signIn({ id }: TestAuthor): Promise<string> {
    return `courant_session=${await api.sessions.issue('courant:cookie', id)}`;
  }

  /** Sends a form like a browser. */
  function post(path: string, fields: Fields, headers: Record<string, string> = {}) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const own = { 'sec-fetch-site': 'same-origin', accept: 'text/html', cookie, ...headers };
    return fetch(api.url + path, { method: 'POST', body, headers: own, redirect: 'manual' });
  }

  const send = (fields: Fields, headers?: Record<string, string>) => post('/desk/write', fields, headers);

  async function open(path = '/desk/write', as = cookie) {
    const response = await fetch(api.url + path, { headers: { cookie: as, accept: 'text/html' }, redirect: 'manual' });
    return { status: response.status, ...readForm(await response.text()) };
  }

  function findArticle(title: string) {
    return api.db.selectFrom('articles').selectAll().where('title', '=', title).executeTakeFirst();
  }

  return { signIn, post, send, open, findArticle };
}

export type Writing = Awaited<ReturnType<typeof openWritePage>>;

/** Reads the hidden fields and the text of the page. */
export function readForm(page: string) {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const [, content = ''] = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(page) ?? [];
  const fields = { key: field('key'), seen: field('seen'), article: field('article'), fileName: field('fileName') };
  return { page, fields, content: content.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&') };
}

export async function readAlert(response: Response): Promise<string> {
  return /role="alert">([\s\S]*?)<\/div>/.exec(await response.text())?.[1] ?? '';
}

export async function readNotice(response: Response): Promise<string> {
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('courant_notice=')) ?? '';
  return decodeURIComponent(cookie.split(';')[0] ?? '');
}
