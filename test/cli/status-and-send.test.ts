/** What `status` and `send` print for each response of a server. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertLines, type GraphqlCall, openCli, page, withSession } from './in-process.ts';

const ARTICLE = {
  ...{ id: 'a1', slug: 'hello', title: 'Hello', status: 'PUBLISHED', url: 'https://courant.example/hello' },
  ...{ revision: 2, scheduledAt: null, updatedAt: '2026-11-21T12:00:00Z', deliveries: [] as object[] },
};
const delivery = (destination: string, state: string, more: object = {}) => ({
  ...{ destination, state, remoteUrl: null, error: null, errorCode: null, attempts: 1, nextAttemptAt: null },
  ...{ deliveredRevision: null, withdrawnAt: null, ...more },
});
describe('courant status', () => {
  const answers = (article: object | null = ARTICLE) => ({
    'articles(': { data: { articles: page([{ id: 'a0', slug: 'other', title: 'Other' }, ARTICLE]) } },
    'article(': { data: { article } },
  });

  test('prints a line for the article and for each delivery', async (t) => {
    const deliveries = [
      delivery('blogsite_a', 'DELIVERED', { remoteUrl: 'https://dev.to/a/hello' }),
      delivery('blogsite_b', 'FAILED', { error: 'Not so.', nextAttemptAt: '2026-11-21T13:00:00Z' }),
      delivery('cms_site', 'STALE', { remoteUrl: 'https://b.io/x', withdrawnAt: '2026-11-20T12:00:00Z' }),
      delivery('social_feed', 'HELD'),
    ];
    const { run, calls } = await openCli(t, answers({ ...ARTICLE, deliveries }), withSession);
    const { code, stdout, stderr } = await run(['status', 'https://courant.example/hello/']);
    assert.deepEqual([code, stderr], [0, '']);
    assertLines(stdout, [
      'Hello  PUBLISHED  https://courant.example/hello',
      '  DEV                 delivered   https://dev.to/a/hello',
      '  Hashnode            failed      Not so.  retried at 2026-11-21T13:00:00Z',
      '  WordPress or Ghost  stale       https://b.io/x  withdrawn 2026-11-20T12:00:00Z',
      '  LinkedIn            held',
    ]);
    assert.deepEqual(
      calls.map(({ variables }) => variables),
      [{ search: 'hello' }, { id: 'a1' }],
    );
    assert.match(calls[0]?.authorization ?? '', /^Bearer x\./);
  });

  test('prints when a scheduled article goes public, and that nothing is delivered', async (t) => {
    const { run } = await openCli(
      t,
      answers({ ...ARTICLE, status: 'SCHEDULED', scheduledAt: '2090-07-02T06:00:00Z' }),
      withSession,
    );
    const { stdout } = await run(['status', 'hello']);
    const [, time, ...rest] = stdout.trimEnd().split('\n');
    assert.match(time ?? '', /^ {2}goes public at 2 Jul 2090, \d\d:\d\d \S+$/);
    assert.deepEqual(rest, ['  no deliveries']);
  });

  test('prints one object with --json', async (t) => {
    const { run } = await openCli(
      t,
      answers({ ...ARTICLE, deliveries: [delivery('blogsite_a', 'FAILED')] }),
      withSession,
    );
    const { stdout } = await run(['status', 'hello', '--json']);
    assert.deepEqual(JSON.parse(stdout), { ...ARTICLE, deliveries: [delivery('blogsite_a', 'failed')] });
  });

  test('searches by words first, then through the complete list', async (t) => {
    const seen: GraphqlCall[] = [];
    const list = (call: GraphqlCall) => {
      seen.push(call);
      if (call.variables.search !== undefined) return { data: { articles: page([]) } };
      return { data: { articles: call.variables.after === 'c1' ? page([ARTICLE]) : page([], 'c1') } };
    };
    const { run } = await openCli(t, { ...answers(), 'articles(': list }, withSession);
    assert.equal((await run(['status', 'hello'])).code, 0);
    assert.deepEqual(
      seen.map(({ variables }) => variables),
      [{ search: 'hello' }, {}, { after: 'c1' }],
    );
    const unknown = await run(['status', 'no-such-slug']);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assertLines(unknown.stderr, [
      'error: You have no article with the slug "no-such-slug".',
      '  Publish it first. If its title has changed since, use its slug.',
    ]);
    assert.equal(seen.find(({ variables }) => variables.search === 'no such slug')?.variables.after, undefined);
  });

  test('searches for the start of a title that is longer than the server accepts', async (t) => {
    const title = 'Longer than a search '.repeat(12).trim();
    const { run, calls, folder } = await openCli(
      t,
      { ...answers(), 'articles(': { data: { articles: page([{ ...ARTICLE, title }]) } } },
      withSession,
    );
    const file = join(folder, 'long-title.md');
    await writeFile(file, `---\ntitle: ${title}\n---\nText.\n`);
    assert.equal((await run(['status', file])).code, 0);
    assert.deepEqual(calls[0]?.variables, { search: title.slice(0, 200) });
  });

  test('requires a login at this server', async (t) => {
    const { run, endpoint } = await openCli(t);
    const { code, stderr } = await run(['status', 'hello', '--endpoint', endpoint]);
    assert.equal(code, 1);
    assertLines(stderr, [
      'error: You are not logged in at <server>.',
      '  The status of an article needs a login; a developer token is not enough. Run: courant login --endpoint <server>/graphql',
    ]);
  });
});

describe('courant send', () => {
  const OFFERS = [
    { articleId: 'a1', slug: 'hello', title: 'Hello' },
    { articleId: 'a2', slug: 'world', title: 'World' },
  ];
  const answers = (offers: object[] = OFFERS, connection: object = {}) => ({
    'offers(': {
      data: {
        offers,
        connections: [
          { destination: 'cms_site' },
          { destination: 'blogsite_a', label: 'DEV', account: '@ada', ...connection },
        ],
      },
    },
    'sendArticles(': ({ variables }: GraphqlCall) => ({
      data: { sendArticles: (variables.articleIds as string[]).map((articleId) => ({ articleId })) },
    }),
  });

  test('lists the articles without slugs, and sends the named ones or all', async (t) => {
    const { run, calls } = await openCli(t, answers(), withSession);
    const listed = await run(['send', 'blogsite_a']);
    assertLines(listed.stdout, [
      '2 articles can be sent to @ada (DEV). Add slugs to the command, or --all:',
      '  hello  Hello',
      '  world  World',
    ]);
    const one = await run(['send', 'blogsite_a', 'world']);
    assertLines(one.stdout, ['Sending 1 article to @ada (DEV):', '  world  World']);
    assert.deepEqual(calls.at(-1)?.variables, { destination: 'blogsite_a', articleIds: ['a2'] });
    const all = await run(['send', 'blogsite_a', '--all']);
    assertLines(all.stdout, ['Sending 2 articles to @ada (DEV):', '  hello  Hello', '  world  World']);
    const json = await run(['send', 'blogsite_a', 'hello', '--json']);
    assert.deepEqual(JSON.parse(json.stdout), {
      ...{ destination: 'blogsite_a', account: '@ada (DEV)', offers: OFFERS, sent: ['hello'] },
    });
  });

  test('reports that there is nothing to send, and names the account by its address or key', async (t) => {
    const empty = await openCli(t, answers([], { account: null, baseUrl: 'https://dev.to' }), withSession);
    assertLines((await empty.run(['send', 'blogsite_a', '--all'])).stdout, [
      'No articles to send to https://dev.to (DEV).',
    ]);
    assert.equal(empty.calls.length, 1);
    const bare = await openCli(t, answers([], { account: null, label: null }), withSession);
    assertLines((await bare.run(['send', 'blogsite_a'])).stdout, ['No articles to send to blogsite_a (blogsite_a).']);
  });

  test('refuses other destinations, slugs beside --all, other slugs and a missing account', async (t) => {
    const { run } = await openCli(t, answers(), withSession);
    const refusals: [string[], number, string[]][] = [
      [
        ['send', 'mastodon'],
        2,
        [
          'error: There is no destination "mastodon".',
          '  Destinations: blogsite_a, blogsite_b, blogsite_c, cms_site, social_feed.',
        ],
      ],
      [['send', 'blogsite_a', 'hello', '--all'], 2, ['error: Use either slugs or --all.']],
      [
        ['send', 'blogsite_a', 'x'],
        2,
        [
          'error: "x" is not in the list of articles that can be sent to this account.',
          '  Run the command without slugs to list them.',
        ],
      ],
      [
        ['send', 'blogsite_b'],
        1,
        ['error: No account is connected at blogsite_b. Connect one at the desk, then run this command again.'],
      ],
    ];
    for (const [args, expected, lines] of refusals) {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [expected, ''], args.join(' '));
      assertLines(stderr, lines);
    }
  });
});
