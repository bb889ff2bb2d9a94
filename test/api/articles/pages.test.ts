/** Attacks the public pages with hostile names, forms of other sites and missing TLS. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSeries } from '../../../store/series/series.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { publish, read } from './support/site.ts';

let api: TestApi;
let other: TestApi;
before(async () => {
  api = await startTestApi();
  // Simulates a proxy that terminates TLS.
  const env = { TRUST_PROXY: '127.0.0.1' };
  other = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home, env });
});
after(async () => {
  await other.close();
  await api.close();
});

test('headings of an article get no id that the page uses, and the author’s links still reach them', async () => {
  const headings = ['Comments', 'Comments title', 'Reactions', 'Related', 'Main', 'Footnote label'];
  const body = `[down](#comments)\n\n${headings.map((one) => `## ${one}\n\nWords.[^1]\n`).join('\n')}\n[^1]: A note.\n`;
  await publish(api, { title: 'Read next', tags: ['ids'] });
  const { slug } = await publish(api, { title: 'Named alike', tags: ['ids'] }, { body });
  await comment(api.db, { slug, userId: api.author.id });
  const { text } = await read(api, `/${slug}`);
  const ids = Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index && !id?.startsWith('user-content-')),
    [],
  );
  assert.match(text, /<a href="#comments-1">down<\/a>/);
  assert.match(text, /<h2 id="comments-1">Comments/);
});

test('every form rejects requests of other sites and requests without origin headers', async () => {
  const paths = listPosts(api.app.printRoutes({ commonPrefix: false }));
  const open = paths.filter((path) => OPEN_PATHS.some((one) => path.startsWith(one)));
  const forms = paths.filter((path) => !open.includes(path));
  assert.ok(forms.length > 40, `${forms.length} forms`);
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', api.author.id)}`;
  const senders: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${api.url}.evil.example` },
    { origin: api.url, 'sec-fetch-site': 'cross-site' },
    { origin: api.url, 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ];
  for (const path of forms) {
    for (const sender of senders) {
      const address = api.url + path.replace(/:\w+/g, '00000000-0000-0000-0000-000000000000');
      const body = new URLSearchParams({ body: 'Lured' });
      const answer = await fetch(address, {
        method: 'POST',
        body,
        headers: { cookie, ...sender },
        redirect: 'manual',
      });
      assert.equal(answer.status, 403, `${path} from ${JSON.stringify(sender)}`);
      assert.deepEqual(answer.headers.getSetCookie(), [], path);
    }
  }
});

/** Paths that require a token which no browser sends by itself, or that anybody may call. */
const OPEN_PATHS = ['/api/', '/graphql', '/mcp', '/account/confirm-email', '/account/reset-password', '/newsletter/'];
OPEN_PATHS.push('/digest/unsubscribe', '/notifications');

/** Lists the POST paths in the tree that the router prints. */
function listPosts(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│├└─ ]*)(\S+)?(?: \((.*)\))?/.exec(line) ?? [];
    const depth = indent.length / 4;
    parents.splice(Math.max(depth - 1, 0), Infinity, segment);
    const path = `/${parents.join('')}`.replace(/\/+/g, '/');
    return methods.split(', ').includes('POST') ? [path] : [];
  });
}

test('names, titles, tags and series are escaped on every page', async () => {
  const evil = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const mallory = await api.createAuthor('mallory');
  const profile = { name: evil, bio: evil, pictureUrl: 'https://x.example/"><img src=x>' };
  await api.db.updateTable('users').set(profile).where('id', '=', mallory.id).execute();
  const { id: series } = await createSeries(api.db, { authorId: mallory.id, title: evil, now: new Date() });
  const more = { subtitle: evil, tags: ['evil', evil.slice(0, 40)], series_id: series };
  const first = await publish(api, { title: evil, slug: 'evil-one', ...more }, { by: mallory });
  await publish(api, { title: `Two ${evil}`, slug: 'evil-two', ...more }, { by: mallory });
  await comment(api.db, { slug: first.slug, userId: mallory.id });
  const encoded = encodeURIComponent(evil);
  const paths = ['/evil-one', '/', '/authors/mallory', '/tags/evil', `/series/${series}`, '/archive'];
  paths.push(`/search?q=${encoded}`, '/search?q=two', `/archive?author=${encoded}`, `/archive?tag=${encoded}`);
  paths.push('/articles/evil-one/comments', '/articles/evil-one/viewer', '/authors/mallory/viewer');
  for (const path of paths) {
    const { text, headers } = await read(api, path);
    assert.doesNotMatch(text, /<img src=x|<script>alert/, path);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
  }
});

test('the footer of a page links to llms.txt, and its header does not', async () => {
  const { text } = await read(api, '/archive');
  const [, header = ''] = /<header class="site-header">([\s\S]*?)<\/header>/.exec(text) ?? [];
  const [, footer = ''] = /<footer class="site-footer">([\s\S]*?)<\/footer>/.exec(text) ?? [];
  assert.match(header, /href="\/archive"/);
  assert.doesNotMatch(header, /llms\.txt/);
  assert.match(footer, /<a href="\/llms\.txt"/);
});

test('an invalid archive query gives a 404 page, and the archive lists articles that are excluded from search', async () => {
  for (const query of ['after=zzz', 'author=%00', 'tag=%20', 'author=a&author=b']) {
    const { status, headers, text } = await read(api, `/archive?${query}`);
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], query);
    assert.match(text, /<h1>Not found<\/h1>/);
  }
  const shy = await api.createAuthor('shy');
  await api.db.updateTable('users').set({ contentSignal: 'search=no' }).where('id', '=', shy.id).execute();
  await publish(api, { title: 'For readers alone', tags: ['quiet'] }, { by: shy });
  for (const path of ['/archive', '/archive?author=shy', '/archive?tag=quiet', '/authors/shy', '/tags/quiet']) {
    assert.match((await read(api, path)).text, /For readers alone/, path);
  }
  assert.doesNotMatch((await read(api, '/api/v1/articles')).text, /For readers alone/);
});

test('a comment edit sent after signing out keeps its text on the sign-in page', async () => {
  const { slug } = await publish(api, { title: 'Signed out meanwhile' });
  const id = await comment(api.db, { slug, userId: api.author.id, body: 'First' });
  const answer = await fetch(`${api.url}/comments/${id}/edit`, {
    method: 'POST',
    body: new URLSearchParams({ body: 'Long thoughts' }),
    headers: { 'sec-fetch-site': 'same-origin', referer: `${api.url}/comments/${id}` },
    redirect: 'manual',
  });
  assert.equal(answer.status, 401);
  assert.match(await answer.text(), /<input type="hidden" name="body" value="Long thoughts">/);
});

test('the notice cookie is marked Secure on a site that uses HTTPS', async () => {
  const cookie = `courant_session=${await other.sessions.issue('courant:cookie', api.author.id)}`;
  const answer = await fetch(`${other.url}/people/${api.author.username}/unfollow`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' },
    redirect: 'manual',
  });
  assert.match(answer.headers.getSetCookie().join(), /^courant_notice=[^;]*;.*; HttpOnly; Secure; SameSite=Lax$/);
});
