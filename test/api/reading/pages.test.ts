/** The pages that everybody reads, attacked: strangers' words, foreign forms, and what changes beside the text, on two instances. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findWeekBefore } from '../../../calendar/week.ts';
import { acceptAnswer } from '../../../store/comments/accept-answer.ts';
import { hideComment } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { follow, unfollow } from '../../../store/follows/follow.ts';
import { react } from '../../../store/reactions/react.ts';
import { makeRoundup } from '../../../store/roundups/make-roundup.ts';
import { createSeries } from '../../../store/series/series.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api.ts';
import { comment } from '../../support/comments.ts';
import { eventually } from '../../support/eventually.ts';
import { addConnection, addDelivery } from '../desk/support/rows.ts';

let api: TestApi;
let other: TestApi;
before(async () => {
  api = await startTestApi();
  // As behind a proxy that ends TLS.
  const env = { TRUST_PROXY: '127.0.0.1' };
  other = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home, env });
});
after(async () => {
  await other.close();
  await api.close();
});

async function publish(frontmatter: Record<string, unknown>, { body, by }: { body?: string; by?: TestAuthor } = {}) {
  const { body: answer } = await api.publish({ content: markdown(frontmatter, body) }, by ? { token: by.token } : {});
  assert.ok(answer.data, JSON.stringify(answer));
  const { id, slug } = answer.data;
  const derived = api.db.selectFrom('articles').select('derivedVersion').where('id', '=', id);
  await eventually('the deriver', async () => (await derived.executeTakeFirstOrThrow()).derivedVersion > 0, {
    withinMs: 30_000,
  });
  return { id, slug };
}

async function read(path: string, from = api) {
  const response = await fetch(from.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const COPIED = { state: 'delivered', remoteId: '1' } as const;
const now = () => new Date();

test('no heading of an article has the id of a part of the page, and links of its author still lead to it', async () => {
  const headings = ['Comments', 'Comments title', 'Reactions', 'Related', 'Main', 'Footnote label'];
  const body = `[down](#comments)\n\n${headings.map((one) => `## ${one}\n\nWords.[^1]\n`).join('\n')}\n[^1]: A note.\n`;
  await publish({ title: 'Read next', tags: ['ids'] });
  const { slug } = await publish({ title: 'Named alike', tags: ['ids'] }, { body });
  await comment(api.db, { slug, userId: api.author.id });
  const { text } = await read(`/${slug}`);
  const ids = Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index && !id?.startsWith('user-content-')),
    [],
  );
  assert.match(text, /<a href="#comments-1">down<\/a>/);
  assert.match(text, /<h2 id="comments-1">Comments/);
});

test('no form of this site does anything when another site sends it, or when nobody says who does', async () => {
  const paths = listPosts(api.app.printRoutes({ commonPrefix: false }));
  const open = paths.filter((path) => TAKES_OTHERS.some((one) => path.startsWith(one)));
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

/** These ask for a token of their own, in the body or in the header, which no browser sends by itself; a reading is counted for whoever it is. */
const TAKES_OTHERS = ['/api/', '/graphql', '/mcp', '/account/confirm-email', '/account/reset-password', '/newsletter/'];
TAKES_OTHERS.push('/digest/unsubscribe', '/notifications');

/** Of the tree that the router prints. */
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

test('what a person, a title, a tag and a series are called is text on every page', async () => {
  const evil = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const mallory = await api.createAuthor('mallory');
  const profile = { name: evil, bio: evil, pictureUrl: 'https://x.example/"><img src=x>' };
  await api.db.updateTable('users').set(profile).where('id', '=', mallory.id).execute();
  const { id: series } = await createSeries(api.db, { authorId: mallory.id, title: evil, now: now() });
  const more = { subtitle: evil, tags: ['evil', evil.slice(0, 40)], series_id: series };
  const first = await publish({ title: evil, slug: 'evil-one', ...more }, { by: mallory });
  await publish({ title: `Two ${evil}`, slug: 'evil-two', ...more }, { by: mallory });
  await comment(api.db, { slug: first.slug, userId: mallory.id });
  const asked = encodeURIComponent(evil);
  const paths = ['/evil-one', '/', '/authors/mallory', '/tags/evil', `/series/${series}`, '/archive'];
  paths.push(`/search?q=${asked}`, '/search?q=two', `/archive?author=${asked}`, `/archive?tag=${asked}`);
  paths.push('/articles/evil-one/comments', '/articles/evil-one/viewer', '/authors/mallory/viewer');
  for (const path of paths) {
    const { text, headers } = await read(path);
    assert.doesNotMatch(text, /<img src=x|<script>alert/, path);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
  }
});

test('an address of the archive that cannot be read is a page too, and what is not to be searched is in it', async () => {
  for (const query of ['after=zzz', 'author=%00', 'tag=%20', 'author=a&author=b']) {
    const { status, headers, text } = await read(`/archive?${query}`);
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], query);
    assert.match(text, /<h1>Not found<\/h1>/);
  }
  const shy = await api.createAuthor('shy');
  await api.db.updateTable('users').set({ contentSignal: 'search=no' }).where('id', '=', shy.id).execute();
  await publish({ title: 'For readers alone', tags: ['quiet'] }, { by: shy });
  for (const path of ['/archive', '/archive?author=shy', '/archive?tag=quiet', '/authors/shy', '/tags/quiet']) {
    assert.match((await read(path)).text, /For readers alone/, path);
  }
  assert.doesNotMatch((await read('/api/v1/articles')).text, /For readers alone/);
});

test('what stands around the text is made again on every instance once it changes', async () => {
  const [writer, reader] = [await api.createAuthor('writer'), await api.createAuthor('reader')];
  const { id: series } = await createSeries(api.db, { authorId: writer.id, title: 'The series', now: now() });
  const by = writer;
  const shown = await publish({ title: 'Shown', tags: ['around'], series_id: series }, { by });
  const next = await publish({ title: 'The part behind', series_id: series }, { by });
  const near = await publish({ title: 'Near to it', tags: ['around'] });
  const said = await comment(api.db, { slug: shown.slug, userId: reader.id, body: 'What was said' });
  // Its subjects are those of its making.
  await sql`update articles set title = 'Shown again' where id = ${shown.id}`.execute(api.db);
  await addConnection(api.db, writer.id, 'blogsite_a');
  const copy = (remoteUrl: string, withdrawnAt: Date | null = null) =>
    addDelivery(api.db, shown.id, 'blogsite_a', { ...COPIED, remoteUrl, withdrawnAt, accountId });
  const { accountId } = await api.db.selectFrom('connections').select('accountId').executeTakeFirstOrThrow();
  /** And what is kept is forgotten, since the copy stays. */
  const disconnect = async () => {
    await disconnectDestination(api.db, writer.id, 'blogsite_a');
    await sql`select announce_change(array['everything'])`.execute(api.db);
  };
  const page = `/${shown.slug}`;
  const week = findWeekBefore(new Date(Date.now() + 7 * 86_400_000));
  const day = now().toISOString().slice(0, 10);
  await api.db.insertInto('articleDays').values({ articleId: shown.id, day, views: 40 }).execute();
  const set = (id: string, change: Record<string, unknown>) =>
    api.db.updateTable('users').set(change).where('id', '=', id).execute();
  const target = { followerId: reader.id, username: 'writer' };
  const steps: [what: string, path: string, expected: RegExp, change: () => Promise<unknown>][] = [
    ['author renamed', page, /Ada Lovelace/, () => set(writer.id, { name: 'Ada Lovelace' })],
    ['author renamed', '/', /Ada Lovelace/, () => set(writer.id, { name: 'Ada Lovelace' })],
    ['bio', page, /A bio of hers/, () => set(writer.id, { bio: 'A bio of hers' })],
    ['picture', page, /face\.example/, () => set(writer.id, { pictureUrl: 'https://face.example/1' })],
    ['picture at home', '/', /face\.example\/2/, () => set(writer.id, { pictureUrl: 'https://face.example/2' })],
    [
      'series renamed',
      page,
      /Renamed series/,
      () => sql`update series set title = 'Renamed series' where id = ${series}`.execute(api.db),
    ],
    [
      'series renamed',
      `/series/${series}`,
      /Renamed again/,
      () => sql`update series set title = 'Renamed again' where id = ${series}`.execute(api.db),
    ],
    [
      'series reordered',
      page,
      /Part 2 of 2/,
      () => sql`update articles set part_position = -1 where id = ${next.id}`.execute(api.db),
    ],
    [
      'part renamed',
      page,
      /Behind it now/,
      () => sql`update articles set title = 'Behind it now' where id = ${next.id}`.execute(api.db),
    ],
    [
      'part withdrawn',
      page,
      /Part 1 of 1/,
      () => sql`update articles set status = 'DRAFT' where id = ${next.id}`.execute(api.db),
    ],
    [
      'related renamed',
      page,
      /Nearer to it/,
      () => sql`update articles set title = 'Nearer to it' where id = ${near.id}`.execute(api.db),
    ],
    [
      'related withdrawn',
      page,
      /^(?![\s\S]*Nearer to it)/,
      () => sql`update articles set status = 'DRAFT' where id = ${near.id}`.execute(api.db),
    ],
    ['commenter renamed', page, /Grace Hopper/, () => set(reader.id, { name: 'Grace Hopper' })],
    [
      'answer accepted',
      page,
      /1 comment, answered/,
      () => acceptAnswer(api.db, { authorId: writer.id, commentId: said, now: now() }),
    ],
    [
      'comment edited',
      page,
      /What is said now/,
      () => sql`update comments set html = '<p>What is said now</p>' where id = ${said}`.execute(api.db),
    ],
    ['commenter suspended', page, /^(?![\s\S]*What is said now)/, () => set(reader.id, { suspendedAt: now() })],
    ['commenter back', page, /What is said now/, () => set(reader.id, { suspendedAt: null })],
    [
      'comment hidden',
      page,
      /^(?![\s\S]*What is said now)/,
      () => hideComment(api.db, { authorId: writer.id, commentId: said, now: now() }),
    ],
    [
      'comment deleted',
      page,
      /id="comments-title" class="rule">Comments</,
      () => deleteComment(api.db, { userId: reader.id, commentId: said, now: now() }),
    ],
    [
      'reaction',
      page,
      /Like <span class="count">1</,
      () => react(api.db, { userId: reader.id, slug: shown.slug, kind: 'like', now: now() }),
    ],
    ['reaction at a suspension', page, /Like <span class="count">0</, () => set(reader.id, { suspendedAt: now() })],
    ['reaction back', page, /Like <span class="count">1</, () => set(reader.id, { suspendedAt: null })],
    ['followed', '/authors/writer', /1 follower</, () => follow(api.db, { ...target, now: now() })],
    ['unfollowed', '/authors/writer', /0 followers</, () => unfollow(api.db, target)],
    ['copy with an odd scheme', page, /^(?![\s\S]*Also at)/, () => copy('javascript:alert(1)')],
    ['copy made', page, /Also at <a href="https:\/\/dev\.to\/x"[^>]*>DEV</, () => copy('https://dev.to/x')],
    ['disconnected', page, /dev\.to\/x/, () => disconnect()],
    ['copy withdrawn', page, /^(?![\s\S]*Also at)/, () => copy('https://dev.to/x', now())],
    ['tags', page, /#other/, () => sql`update articles set tags = '{other}' where id = ${shown.id}`.execute(api.db)],
    [
      'tags at home',
      '/',
      /\/tags\/another"/,
      () => sql`update articles set tags = '{another}' where id = ${shown.id}`.execute(api.db),
    ],
    ['roundup made', '/', /Featured this week/, () => makeRoundup(api.db, week, now())],
    ['roundup listed', '/roundup', new RegExp(week.week), async () => undefined],
    ['author suspended', page, /Withdrawn/, () => set(writer.id, { suspendedAt: now() })],
    ...['/', '/archive', `/roundup/${week.week}`, '/search?q=shown', '/tags/another'].map(
      (path) =>
        [
          'author suspended',
          path,
          /^(?![\s\S]*Shown again)/,
          () => set(writer.id, { suspendedAt: now() }),
        ] as (typeof steps)[number],
    ),
    ...[
      '/authors/writer',
      `/series/${series}`,
      `/articles/${shown.slug}/comments`,
      `/articles/${shown.slug}/viewer`,
    ].map((path) => ['author suspended', path, /<h1>Not found/, async () => undefined] as (typeof steps)[number]),
  ];
  const failed: string[] = [];
  for (const [what, path, expected, change] of steps) {
    await Promise.all([read(path, api), read(path, other)]);
    await change();
    for (const [name, from] of [
      ['here', api],
      ['there', other],
    ] as const) {
      await eventually(what, async () => expected.test((await read(path, from)).text), { withinMs: 4_000 }).catch(() =>
        failed.push(`${what}: ${path} ${name}`),
      );
    }
  }
  assert.deepEqual(failed, []);
});

test('what suspended people tagged takes no place among what to read next', async () => {
  const { slug } = await publish({ title: 'Crowded out', tags: ['crowd'] });
  await publish({ title: 'A true neighbour', tags: ['crowd'] });
  const spammer = await api.createAuthor('spammer');
  for (let number = 0; number < 13; number += 1) {
    await api.publish({ content: markdown({ title: `Spam ${number}`, tags: ['crowd'] }) }, { token: spammer.token });
  }
  await api.db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', spammer.id).execute();
  await eventually('the neighbour', async () => /A true neighbour/.test((await read(`/${slug}`)).text), {
    withinMs: 10_000,
  });
});

test('whoever changes a comment and is signed out meanwhile loses no word', async () => {
  const { slug } = await publish({ title: 'Signed out meanwhile' });
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

test('what a page says once is never sent without encryption where the site has it', async () => {
  const cookie = `courant_session=${await other.sessions.issue('courant:cookie', api.author.id)}`;
  const answer = await fetch(`${other.url}/people/${api.author.username}/unfollow`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' },
    redirect: 'manual',
  });
  assert.match(answer.headers.getSetCookie().join(), /^courant_notice=[^;]*;.*; HttpOnly; Secure; SameSite=Lax$/);
});

test('the header of a roundup says where its reader is', async () => {
  for (const path of ['/roundup', `/roundup/${findWeekBefore(new Date(Date.now() + 7 * 86_400_000)).week}`]) {
    assert.match((await read(path)).text, /<a href="\/roundup" aria-current="page">/, path);
  }
});
