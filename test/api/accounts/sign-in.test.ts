/** Sign-in and registration with a browser: cookies, redirects and rejected forms. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { register } from '../../../api/accounts/sign-in/register.ts';
import { readNextPath } from '../../../api/web/next-path.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const PASSWORD = 'a long and lovely one';

async function registerPerson(username: string) {
  const email = `${username}@example.org`;
  const client = { address: '192.0.2.1', userAgent: null };
  await register(api.accounts, client, { username, name: username, email, password: PASSWORD });
  return { email, username };
}

function sendForm(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const own = { 'sec-fetch-site': 'same-origin', ...headers };
  return fetch(api.url + path, { method: 'POST', body: new URLSearchParams(fields), headers: own, redirect: 'manual' });
}

function readCookies(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

test('signing in sets an HttpOnly cookie and redirects, and the viewer is known until signing out', async () => {
  const { email, username } = await registerPerson('reader');
  const signedIn = await sendForm('/login', { email, password: PASSWORD, next: '/desk/settings?a=1' });
  assert.equal(signedIn.status, 303);
  assert.equal(signedIn.headers.get('location'), '/desk/settings?a=1');
  const [session = ''] = signedIn.headers.getSetCookie();
  assert.match(session, /^courant_session=[^;]+;.*HttpOnly;.*SameSite=Lax/);
  const cookie = readCookies(signedIn);
  const viewer = await fetch(`${api.url}/account/viewer`, { headers: { cookie } });
  assert.deepEqual(await viewer.json(), { name: 'reader', username, unread: 0 });
  for (const path of ['/login?next=/desk', '/register?next=/desk']) {
    const redirected = await fetch(api.url + path, { headers: { cookie }, redirect: 'manual' });
    assert.deepEqual([redirected.status, redirected.headers.get('location')], [303, '/desk']);
    assert.equal(
      redirected.headers.get('cache-control'),
      'no-store',
      'after signing out, the same address is the sign-in page',
    );
  }
  const signedOut = await sendForm('/logout', {}, { cookie });
  assert.equal(signedOut.headers.get('location'), '/login');
  const ended = await fetch(`${api.url}/account/viewer`, { headers: { cookie } });
  assert.deepEqual(await ended.json(), { name: null, username: null, unread: 0 });
  assert.match(ended.headers.getSetCookie().join(), /courant_session=;/, 'what opens nothing is taken away');
});

test('after a wrong password the page shows the error and keeps the address, not the password', async () => {
  const response = await sendForm('/login', { email: 'nobody@example.org', password: 'a wrong one <b>' });
  const page = await response.text();
  assert.equal(response.status, 401);
  assert.match(page, /role="alert"/);
  assert.match(page, /value="nobody@example.org"/);
  assert.doesNotMatch(page, /a wrong one/);
});

test('sign-in forms of other sites are rejected (A50)', async () => {
  const { email } = await registerPerson('lured');
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
    const response = await sendForm('/login', { email, password: PASSWORD }, headers);
    assert.equal(response.status, 403);
    assert.deepEqual(response.headers.getSetCookie(), []);
  }
  const body = new URLSearchParams({ email, password: PASSWORD });
  for (const origin of ['https://evil.example', 'null']) {
    const response = await fetch(`${api.url}/login`, { method: 'POST', body, headers: { origin }, redirect: 'manual' });
    assert.equal(response.status, 403);
  }
  const own = await fetch(`${api.url}/login`, {
    method: 'POST',
    body,
    headers: { origin: api.url },
    redirect: 'manual',
  });
  assert.equal(own.status, 303);
});

test('a multipart form without files is rejected, and the error names the accepted encoding (A34)', async () => {
  const body = new FormData();
  body.append('email', 'reader@example.org');
  const response = await fetch(`${api.url}/login`, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(response.status, 415);
  assert.match(await response.text(), /Send the body as application\/x-www-form-urlencoded\./);
});

test('registration in a browser signs in at once; problems appear at their fields, and typed values are kept', async () => {
  const input = { username: 'new-here', name: 'New <Here>', email: 'new-here@example.org', password: PASSWORD };
  const refused = await sendForm('/register', { ...input, username: 'no no' });
  const page = await refused.text();
  assert.equal(refused.status, 422);
  assert.match(page, /id="username-help" role="alert"/);
  assert.match(page, /value="New &lt;Here&gt;"/);
  assert.doesNotMatch(page, new RegExp(PASSWORD));
  const made = await sendForm('/register', { ...input, next: '/desk/write' });
  assert.equal(made.headers.get('location'), '/desk/write');
  const viewer = await fetch(`${api.url}/account/viewer`, { headers: { cookie: readCookies(made) } });
  assert.deepEqual(await viewer.json(), { name: input.name, username: input.username, unread: 0 });
});

test('a problem of a registration appears once, at its field', async () => {
  const input = { username: 'new-there', name: 'New', email: 'new-there@example.org', password: PASSWORD };
  for (const [name, value] of [
    ['username', 'no no'],
    ['name', ''],
    ['email', 'nobody'],
    ['password', 'short'],
  ] as const) {
    const page = await (await sendForm('/register', { ...input, [name]: value })).text();
    assert.deepEqual(
      [page.match(/<[^>]+ role="alert"/g), page.match(/ aria-invalid="true"/g)?.length],
      [[`<span class="problem" id="${name}-help" role="alert"`], 1],
      name,
    );
  }
});

test('a reset request gets the same redirect whether or not the address has an account', async () => {
  const { email } = await registerPerson('forgetful');
  const answers = [];
  for (const one of [email, 'nobody-at-all@example.org']) {
    const response = await sendForm('/account/forgot-password', { email: one });
    answers.push([response.status, response.headers.get('location'), response.headers.getSetCookie()]);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('signing in redirects only to addresses of this site (A55)', () => {
  for (const path of ['/desk/write?draft=1#top', '/a-slug']) assert.equal(readNextPath(path), path);
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/login?next=/login',
    '/logout',
    '',
    null,
    '/a\n/b',
    '/\t/evil',
    '/.//evil.example',
    '/desk/..//evil.example',
    '/./%2e//evil.example',
  ];
  for (const path of elsewhere) assert.equal(readNextPath(path), '/desk', String(path));
});
