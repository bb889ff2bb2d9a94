/** Articles of two authors with one canonical URL stay listed; the publishing author is warned. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { publishArticleNow, scheduleOwnArticle } from '../../../api/deliveries/article-commands.ts';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { publishDueArticle } from '../../../store/articles/schedules/publish-due.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { waitUntilAllDerived } from '../articles/support/lists.ts';

let api: TestApi;
let attacker: TestAuthor;
before(async () => {
  api = await startTestApi();
  attacker = await api.createAuthor('attacker');
});
after(() => api.close());

async function publish(author: TestAuthor, frontmatter: Record<string, unknown>) {
  const content = markdown({ lang: 'en', ...frontmatter }, 'Words about a zebra.');
  const { body } = await api.publish({ content }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  const clashes = (body.warnings ?? []).filter(({ code }) => code === 'canonical_clash');
  return { ...body.data, clashes };
}

const read = async (path: string) => (await fetch(api.url + path)).text();

/** Gives an attacker's older article the canonical URL of a victim's article. */
async function attack(name: string, buildUrl: (victim: { url: string }) => string, victimUrl?: string) {
  const old = { title: `Older ${name}`, id: `older-${name}`, tags: [name] };
  await publish(attacker, old);
  const victim = await publish(api.author, {
    title: `Victim ${name}`,
    tags: [name],
    ...(victimUrl === undefined ? {} : { canonical_url: victimUrl }),
  });
  return { victim, attack: await publish(attacker, { ...old, canonical_url: buildUrl(victim) }) };
}

test('an older article that gets the canonical URL of another author hides nothing, and its author is warned (A35)', async () => {
  const address = 'https://victim.example/original';
  const { victim, attack: pointing } = await attack('elsewhere', () => address, address);
  await waitUntilAllDerived(api);
  const { id: partOf } = await api.db
    .insertInto('series')
    .values({ authorId: api.author.id, title: 'Parts', titleKey: 'parts', createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db.updateTable('articles').set({ partOf }).where('id', '=', victim.id).execute();
  const listing = [
    '/',
    '/archive',
    `/authors/${api.author.username}`,
    `/series/${partOf}`,
    '/tags/elsewhere',
    '/feed.xml',
    '/atom.xml',
    '/feed.json',
    `/authors/${api.author.username}/feed.json`,
    '/tags/elsewhere/feed.json',
    '/llms.txt',
    '/llms-full.txt',
    '/index.md',
    '/api/v1/articles',
    '/api/v1/articles?q=zebra',
    '/search?q=zebra',
    '/api/geo/changes?limit=500',
  ];
  for (const path of listing) assert.ok((await read(path)).includes(victim.slug), path);
  for (const { slug } of [victim, pointing]) {
    for (const path of [`/api/geo/posts/${slug}`, `/api/geo/posts/${slug}/description`, `/api/v1/articles/${slug}`]) {
      assert.equal((await fetch(api.url + path)).status, 200, path);
    }
  }
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`)));
  const found = await client.callTool({ name: 'search_articles', arguments: { query: 'zebra' } });
  assert.ok(JSON.stringify(found.structuredContent).includes(victim.slug));
  const whole = await client.callTool({ name: 'get_article', arguments: { slug: victim.slug } });
  assert.notEqual(whole.isError, true);
  await client.close();

  assert.equal(pointing.clashes.length, 1);
  const [{ path, message } = { path: '', message: '' }] = pointing.clashes;
  assert.equal(path, 'canonical_url');
  assert.ok(
    message.includes(address) && message.includes(victim.url) && message.includes(api.author.username),
    message,
  );
  assert.match(message, /stay listed.*search engines.*[Cc]hange or remove canonical_url/s);
});

test('an article that gets the address of another author’s article hides nothing, and its author is warned (A35)', async () => {
  const { victim, attack: pointing } = await attack('here', ({ url }) => url);
  assert.equal(pointing.clashes.length, 1);
  assert.ok(pointing.clashes[0]?.message.includes(victim.url));
  assert.equal((await fetch(`${api.url}/api/geo/posts/${victim.slug}`)).status, 200);
  assert.ok((await read('/sitemap-articles-0.xml')).includes(victim.slug));
  // The victim's canonical URL is on another site; the attacker's is the victim's page here.
  const moved = await attack('both', ({ url }) => url, 'https://victim.example/both');
  assert.equal(moved.attack.clashes.length, 1);
  // The victim is also warned when publishing.
  const again = await publish(api.author, { title: 'Victim here', tags: ['here', 'again'] });
  assert.ok(again.clashes[0]?.message.includes(pointing.url));
});

test('drafts, scheduled articles and articles of suspended authors cause no clash (A35, A40)', async () => {
  const hidden = await api.createAuthor('hidden');
  const suspended = await api.createAuthor('suspended');
  const address = (name: string) => `https://victim.example/${name}`;
  await publish(hidden, { title: 'Hidden draft', canonical_url: address('draft'), draft: true });
  await publish(hidden, { title: 'Hidden later', canonical_url: address('later'), scheduled_at: '2100-01-01T00:00Z' });
  await publish(hidden, { title: 'Hidden again', canonical_url: address('again') });
  await publish(hidden, { title: 'Hidden again', canonical_url: address('again'), draft: true });
  await publish(suspended, { title: 'Suspended', canonical_url: address('suspended') });
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', suspended.id).execute();
  for (const name of ['draft', 'later', 'again', 'suspended']) {
    const { clashes } = await publish(attacker, { title: `Asks for ${name}`, canonical_url: address(name) });
    assert.deepEqual(clashes, [], name);
  }
});

test('duplicates and drafts of one author cause no clash', async () => {
  const canonical_url = 'https://victim.example/own';
  await publish(api.author, { title: 'Own one', id: 'own-1', canonical_url });
  assert.deepEqual((await publish(api.author, { title: 'Own two', id: 'own-2', canonical_url })).clashes, []);
  const draft = await publish(attacker, { title: 'Draft of it', canonical_url, draft: true });
  assert.deepEqual(draft.clashes, []);
  // One warning names both of them.
  const [warning, ...others] = (await publish(attacker, { title: 'Draft of it', canonical_url })).clashes;
  assert.ok(warning?.message.includes('own-one') && warning.message.includes('own-two'), warning?.message);
  assert.deepEqual(others, []);
});

test('publishing a draft by command or schedule also warns its author of a clash', async () => {
  const canonical_url = 'https://victim.example/commands';
  await publish(api.author, { title: 'Was there first', canonical_url });
  const deps = { db: api.db, config: { baseUrl: api.baseUrl }, now: () => new Date(), onOutboxWrite: () => undefined };
  const make = (title: string, more: object = { draft: true }) =>
    publish(attacker, { title, canonical_url, id: title, ...more });
  const codes = (warnings: readonly { code: string }[]) => warnings.map(({ code }) => code);

  const now = await make('Published by a command');
  const origin = { via: 'desk', request: { log: { info: () => undefined } } } as never;
  const name = (articleId: string) => ({ authorId: attacker.id, articleId });
  assert.deepEqual(codes(await publishArticleNow(deps as never, name(now.id), origin)), ['canonical_clash']);
  const later = await make('Scheduled by a command');
  const scheduled = await scheduleOwnArticle(deps as never, name(later.id), '2100-01-01T00:00Z');
  assert.deepEqual(codes(scheduled.warnings), ['canonical_clash']);

  const due = await make('Due', { scheduled_at: '2100-01-01T00:00Z' });
  assert.deepEqual(codes(due.clashes), ['canonical_clash']);
  await publishDueArticle(api.db, due.id, new Date('2100-01-01T00:00:01Z'));
  const notices = await listArticleNotices(api.db, [due.id]);
  assert.deepEqual(codes(notices), ['canonical_clash']);
});
