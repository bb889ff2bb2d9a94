/**
 * Access control of every route that accepts the browser's cookie. The routes are read from the
 * app, so that none is missing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { fillRoute, isDeskPath, listRoutes } from '../../support/api/routes.ts';
import { openVisitor, PASSWORD, signInAgain } from '../accounts/settings-support.ts';

let api: TestApi;
let routes: RequestedRoute[];
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
  routes = listRoutes(api).map((route) => ({
    method: route.method,
    path: fillRoute(route, (name) => (name === 'destination' ? 'blogsite_a' : UNKNOWN_ID)),
  }));
});
after(() => api.close());

interface RequestedRoute {
  method: string;
  path: string;
}

/** `site`: the Sec-Fetch-Site header; null omits it. */
function sendRequest(
  { method, path }: RequestedRoute,
  headers: Record<string, string>,
  site: string | null = 'same-origin',
) {
  return fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html', ...(site !== null && { 'sec-fetch-site': site }), ...headers },
  });
}

test('every desk route rejects requests without a session, with an ended one, and of suspended authors', async () => {
  const desk = routes.filter(({ path }) => isDeskPath(path));
  assert.ok(desk.length > 50, `${desk.length} routes were found`);
  const signedOut = await openVisitor(api, 'signed-out');
  await signedOut.send('/logout');
  const ended = await openVisitor(api, 'ended-elsewhere');
  await api.db.updateTable('sessions').set({ endedAt: new Date() }).where('userId', '=', ended.userId).execute();
  const suspended = await openVisitor(api, 'suspended-one');
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', suspended.userId).execute();
  const stream = await api.sessions.issue('courant:stream', api.author.id);
  const bearer = await api.sessions.issue('courant:session', api.author.id);
  const cookies = [
    '',
    'courant_session=nonsense',
    `courant_session=${ended.cookies.get('courant_session')}`,
    `courant_session=${suspended.cookies.get('courant_session')}`,
    `courant_session=${stream}`,
    `courant_session=${bearer}`,
  ];
  for (const route of desk) {
    for (const cookie of cookies) {
      const { status, headers } = await sendRequest(route, { cookie });
      // A script opens the stream, so it gets a 401 instead of a redirect.
      if (route.path === '/desk/stream') {
        assert.equal(status, 401, route.path);
        continue;
      }
      assert.equal(status, 303, `${route.method} ${route.path} ${cookie.slice(0, 30)}`);
      assert.match(headers.get('location') ?? '', /^\/login\?next=%2F(?:desk|settings)/, route.path);
    }
  }
});

test('every route rejects forms from other sites or without Sec-Fetch-Site', async () => {
  const visitor = await openVisitor(api, 'lured-author');
  const cookie = `courant_session=${visitor.cookies.get('courant_session')}`;
  // Links in mails, and APIs that ignore cookies.
  const isOpen = ({ path }: RequestedRoute) =>
    /^\/(?:api\/|graphql|mcp|unsubscribe|newsletter|account\/(?:confirm-email|reset-password)|digest)/.test(path);
  const forms = routes.filter((route) => !['GET', 'HEAD', 'OPTIONS'].includes(route.method) && !isOpen(route));
  assert.ok(forms.length > 30, `${forms.length} routes were found`);
  const notGuarded: string[] = [];
  for (const route of forms) {
    for (const site of ['cross-site', 'same-site', 'none', null]) {
      const { status } = await sendRequest(route, { cookie }, site);
      if (status !== 403) notGuarded.push(`${route.method} ${route.path} ${site} ${status}`);
    }
  }
  assert.deepEqual(notGuarded, []);
});

const DESK_POLICY =
  "default-src 'none'; img-src * data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

test('desk pages cannot be cached or framed, and send no full referrer to other sites', async () => {
  const visitor = await openVisitor(api, 'looks-at-headers');
  // The stream is not a page, and its response does not end.
  const pages = routes.filter(
    (route) => isDeskPath(route.path) && route.method === 'GET' && route.path !== '/desk/stream',
  );
  for (const { path } of pages) {
    const { status, headers } = await visitor.get(path);
    if (status === 303) continue;
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path);
    assert.equal(headers.get('cache-control'), 'no-store', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN', path);
    assert.equal(headers.get('content-security-policy'), DESK_POLICY, path);
    assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', path);
    assert.equal(headers.get('x-robots-tag'), 'noindex', path);
  }
});

test('ids of another author’s token, form or session give no access', async () => {
  const [owner, stranger] = [await openVisitor(api, 'owns-things'), await openVisitor(api, 'wants-things')];
  const form = /name="form" value="([^"]+)"/.exec((await owner.get('/desk/settings/tokens')).text)?.[1] ?? '';
  await owner.send('/desk/settings/tokens', { form, name: 'mine', lifetime: '' });
  const token = await api.db
    .selectFrom('developerTokens')
    .select(['id', 'revokedAt'])
    .where('userId', '=', owner.userId)
    .executeTakeFirstOrThrow();
  assert.equal((await stranger.send(`/desk/settings/tokens/${token.id}/revoke`)).status, 404);
  const taken = await stranger.send('/desk/settings/tokens', { form, name: 'theirs', lifetime: '' });
  assert.doesNotMatch(taken.text, /courant_[0-9a-f]{48}/, 'the name of a form is no way to a token');
  const session = await api.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', owner.userId)
    .executeTakeFirstOrThrow();
  assert.equal((await stranger.send(`/desk/settings/sessions/${session.id}/end`)).status, 404);
  assert.equal((await owner.get('/desk')).status, 200);
  assert.match((await owner.get('/desk/settings/tokens')).text, />mine</);
});

test('a private page is compressed only for requests that this site or the reader started', async () => {
  const visitor = await openVisitor(api, 'compressed');
  const cookie = `courant_session=${visitor.cookies.get('courant_session')}`;
  const sendRequest = async (headers: Record<string, string>) => {
    const response = await fetch(`${api.url}/desk/settings`, {
      headers: { accept: 'text/html', 'accept-encoding': 'br', cookie, ...headers },
    });
    assert.match(await response.text(), /<h1 dir="auto">Settings/);
    return response.headers.get('content-encoding');
  };
  for (const site of ['same-origin', 'none']) assert.equal(await sendRequest({ 'sec-fetch-site': site }), 'br');
  for (const site of ['cross-site', 'same-site']) assert.equal(await sendRequest({ 'sec-fetch-site': site }), null);
  assert.equal(await sendRequest({}), null);
});

test('a background request of a script does not consume a notice', async () => {
  const visitor = await openVisitor(api, 'noticed');
  visitor.cookies.set('courant_notice', 'done%20It%20is%20saved.');
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { accept: 'text/html', cookie, 'sec-fetch-dest': 'empty' };
  const refreshed = await fetch(`${api.url}/desk/notifications`, { headers });
  assert.doesNotMatch(await refreshed.text(), /It is saved/);
  assert.deepEqual(refreshed.headers.getSetCookie(), []);
  assert.match((await visitor.get('/desk/notifications')).text, /It is saved/);
  assert.doesNotMatch((await visitor.get('/desk/notifications')).text, /It is saved/);
});

test('a form of an ended session is not executed, and the sign-in page says so', async () => {
  const visitor = await openVisitor(api, 'was-signed-out');
  const elsewhere = await signInAgain(api, visitor);
  await elsewhere.send('/desk/settings/sessions/end-all');
  const sent = await visitor.send(
    '/desk/settings/profile',
    { name: 'Lost' },
    { referer: `${api.baseUrl}/desk/settings/profile` },
  );
  assert.equal(sent.location, '/login?next=%2Fdesk%2Fsettings%2Fprofile');
  assert.match((await visitor.get(sent.location ?? '')).text, /role="alert"><p>[^<]*nothing was changed/);
});

test('a forged notice is shown as text or not at all', async () => {
  const visitor = await openVisitor(api, 'forged-notice');
  const shownFor = async (value: string) => {
    visitor.cookies.set('courant_notice', value);
    const { status, text } = await visitor.get('/desk');
    assert.equal(status, 200, value);
    visitor.cookies.delete('courant_notice');
    return text;
  };
  assert.match(await shownFor(encodeURIComponent('done <script>alert(1)</script>')), /<p>&lt;script&gt;alert/);
  for (const value of ['%E0%A4%A', 'evil text', encodeURIComponent('done'), encodeURIComponent('x" onload=1 text')]) {
    assert.doesNotMatch(await shownFor(value), /class="notice (?:done|refused|evil|x)/, value);
  }
  await shownFor(encodeURIComponent('done a\u0000\r\nSet-Cookie: b=c\u202e'));
});

test('sign-in by browser is rate-limited after too many wrong passwords', async () => {
  const visitor = await openVisitor(api, 'guessed-at');
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++)
    statuses.push((await visitor.send('/login', { email: visitor.email, password: `wrong ${n}` })).status);
  assert.equal(statuses.at(-1), 429, statuses.join());
  assert.equal((await visitor.send('/login', { email: visitor.email, password: PASSWORD })).status, 429);
});
