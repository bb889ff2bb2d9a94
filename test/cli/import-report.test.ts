/** What `import` prints for each state of an import at the server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLines, type GraphqlCall, openCli, page, withSession } from './in-process.ts';

describe('courant import', () => {
  const counts = { listed: 3, created: 2, present: 1, refused: 0, adopted: 1, waiting: 1 };
  const ended = { state: 'DONE', reason: null, waitsUntil: null, isListed: true, counts, notices: [] as object[] };
  const item = (number: number, more: object) => ({
    ...{ number, title: `Post ${number}`, url: null, outcome: 'CREATED', code: null, reason: null, adopted: false },
    ...{ warnings: [], article: null, ...more },
  });
  const ITEMS = [
    item(1, {
      article: { url: 'https://courant.example/1' },
      warnings: [{ code: 'w', message: 'Some text was lost.' }],
    }),
    item(2, { outcome: 'REFUSED', title: '', reason: 'It is empty.' }),
    item(3, { outcome: null, adopted: true, reason: 'Here already.' }),
  ];
  const answers = (...states: object[]) => {
    const queue = [...states];
    return {
      'importArticles(': { data: { importArticles: { id: 'i1' } } },
      'items(': ({ variables }: GraphqlCall) => ({
        data: { import: { items: variables.after === 'c1' ? page(ITEMS.slice(2)) : page(ITEMS.slice(0, 2), 'c1') } },
      }),
      'import(': () => ({ data: { import: queue.shift() ?? null } }),
    };
  };

  test('shows its progress, each post, the notices and a summary', async (t) => {
    const running = { ...ended, state: 'RUNNING' };
    const waiting = { ...running, isListed: false, waitsUntil: '2026-11-21T12:00:00.123Z' };
    const done = { ...ended, notices: [{ code: 'n', message: 'Only the newest.' }] };
    const { run, calls } = await openCli(
      t,
      answers({ ...running, counts: { ...counts, listed: 0 } }, waiting, done),
      withSession,
    );
    const { code, stdout, stderr } = await run([
      'import',
      'RSS',
      'https://a.io/feed',
      '--limit',
      '7',
      '--since',
      '2026-01-01',
      '--draft',
    ]);
    assert.equal(code, 0);
    assertLines(stderr, [
      'Import i1 started. It runs on the server and continues if this program ends.',
      'Listing the posts …',
      '2 of 3 or more posts; next request at 2026-11-21T12:00:00Z',
      'note: Only the newest.',
    ]);
    assertLines(stdout, [
      'created  Post 1 https://courant.example/1',
      '         warning: Some text was lost.',
      'refused  Untitled (It is empty.)',
      'waiting  Post 3 (Here already. Your next publish updates that post.)',
      '2 created, 1 here already, 0 refused, 1 adopted.',
    ]);
    assert.deepEqual(calls[0]?.variables, {
      ...{ identifier: 'https://a.io/feed', source: 'RSS', images: 'KEEP', since: '2026-01-01', draft: true, limit: 7 },
    });
  });

  test('prints one object per line with --json', async (t) => {
    const { run } = await openCli(t, answers(ended), withSession);
    const { stdout } = await run(['import', 'blogsite_a', 'ada', '--json', '--dry-run', '--images', 'copy']);
    const { waitsUntil: _, isListed: __, ...end } = ended;
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [...ITEMS.map((post) => ({ type: 'item', ...post })), { type: 'import', id: 'i1', ...end }],
    );
  });

  test('fails if posts were refused or the import did not end well', async (t) => {
    const end = async (state: object, ...flags: string[]) => {
      const { run } = await openCli(t, answers(state), withSession);
      const { code, stdout, stderr } = await run(['import', 'rss', 'a.io', ...flags]);
      return [code, stdout.trimEnd().split('\n').at(-1), stderr.trimEnd().split('\n').at(-1)];
    };
    const refused = (count: number) => ({ ...ended, counts: { ...counts, refused: count } });
    assert.deepEqual(await end(refused(1), '--dry-run'), [
      1,
      '2 would be created, 1 here already, 1 refused, 1 adopted.',
      'error: 1 post was not imported.',
    ]);
    assert.deepEqual((await end(refused(2))).at(-1), 'error: 2 posts were not imported.');
    assert.deepEqual(
      (await end({ ...ended, state: 'FAILED', reason: 'No such feed.' })).at(-1),
      'error: The import ended with the state failed. No such feed.',
    );
    assert.deepEqual(
      (await end({ ...ended, state: 'CANCELLED' })).at(-1),
      'error: The import ended with the state cancelled.',
    );
  });

  test('refuses invalid options before anything is sent, and reports an import that is gone', async (t) => {
    const { run, calls } = await openCli(t, answers(), withSession);
    const refusals: [string[], string[]][] = [
      [
        ['myspace', 'ada'],
        ['error: There is no source "myspace".', '  Sources: blogsite_a, blogsite_b, blogsite_c, rss.'],
      ],
      [['rss', 'a.io', '--limit', '0'], ['error: --limit must be a number of posts; found "0".']],
      [['rss', 'a.io', '--limit', '1234567'], ['error: --limit must be a number of posts; found "1234567".']],
      [['rss', 'a.io', '--images', 'move'], ['error: --images must be keep or copy; found "move".']],
    ];
    for (const [args, lines] of refusals) {
      const { code, stderr } = await run(['import', ...args]);
      assert.equal(code, 2);
      assertLines(stderr, lines);
    }
    assert.equal(calls.length, 0);
    const gone = await run(['import', 'rss', 'a.io']);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /\nerror: The import i1 no longer exists on the server\.\n$/);
  });
});
