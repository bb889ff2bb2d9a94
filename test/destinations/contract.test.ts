/** The contract that every destination fulfils, against its stand-in over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../destinations/types.ts';
import { closedOrigin, makeArticle, openClient, ROWS, type Row, startSandbox } from './stand-ins.ts';

function done<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

for (const row of ROWS) {
  const { destination } = row;
  const format = (article = makeArticle()) => ({ article, payload: destination.format(article).payload });

  describe(destination.label, () => {
    test('a good credential is probed and names its account', async (context) => {
      const sandbox = await startSandbox(context);
      assert.deepEqual(done(await openClient(row, sandbox.url).probe()), { account: row.account });
    });

    test('an article is created once, and its link is alive', async (context) => {
      const sandbox = await startSandbox(context);
      const { article, payload } = format();
      const post = done(await openClient(row, sandbox.url).create(payload));
      assert.equal((await fetch(post.url)).status, 200);
      const log = await sandbox.log();
      assert.deepEqual(
        log.map(({ platform, action, remoteId, canonicalUrl, title }) => ({
          platform,
          action,
          remoteId,
          canonicalUrl,
          title,
        })),
        [
          {
            platform: row.key,
            action: 'create',
            remoteId: post.remoteId,
            canonicalUrl: article.canonicalUrl,
            title: article.title,
          },
        ],
      );
    });

    test('a post is found by its canonical URL in whatever spelling, and nothing else is', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      const post = done(await client.create(payload));
      const spelled = `${article.canonicalUrl.replace('https://blog', 'HTTPS://Blog')}/?utm_source=feed#top`;
      assert.deepEqual(done(await client.find({ ...article, canonicalUrl: spelled, slug: 'another-slug' })), post);
      assert.deepEqual(done(await client.find(article)), post);
      assert.equal(done(await client.find(makeArticle())), null);
      // Same slug, other article: the author's own post there is not ours to change.
      assert.equal(done(await client.find({ ...makeArticle(), slug: article.slug })), null);
    });

    test('an update changes the post in place', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      const post = done(await client.create(payload));
      const changed = destination.format({ ...article, title: 'A better title', body: 'Better.\n' }).payload;
      assert.deepEqual(done(await client.update(post.remoteId, changed)), post);
      assert.match(await (await fetch(post.url)).text(), /A better title[\s\S]*Better\./);
      assert.deepEqual(
        (await sandbox.log()).map((entry) => [entry.action, entry.remoteId]),
        [
          ['create', post.remoteId],
          ['update', post.remoteId],
        ],
      );
    });

    test('a withdrawn post is gone for readers, is still found, and comes back with an update', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      const post = done(await client.create(payload));
      assert.equal(done(await client.withdraw(post.remoteId)), null);
      assert.equal((await fetch(post.url)).status, 404);
      assert.equal(done(await client.find(article))?.remoteId, post.remoteId);
      const back = done(await client.update(post.remoteId, payload));
      assert.equal(back.remoteId, post.remoteId);
      assert.equal((await fetch(back.url)).status, 200);
      assert.deepEqual(
        (await sandbox.log()).map(({ action }) => action),
        ['create', 'withdraw', 'update'],
      );
    });

    test('a wrong credential is said to be one, whatever is asked', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url, { credentials: row.wrong });
      const { article, payload } = format();
      assert.equal((await client.probe()).kind, 'unauthorised');
      assert.equal((await client.create(payload)).kind, 'unauthorised');
      assert.equal((await client.update('1', payload)).kind, 'unauthorised');
      assert.equal((await client.withdraw('1')).kind, 'unauthorised');
      if (row.key === 'blogsite_a') assert.equal((await client.find(article)).kind, 'unauthorised');
      assert.deepEqual(await sandbox.log(), []);
    });

    test('a credential with a line break in it is refused before anything is sent', async () => {
      const credentials = Object.fromEntries(
        Object.entries(row.credentials).map(([name, value]) => [name, `${value}\r\nx: y`]),
      );
      const outcome = await openClient(row, await closedOrigin(), { credentials }).create(format().payload);
      assert.equal(outcome.kind, 'unauthorised');
    });

    test('a post that is gone cannot be updated', async (context) => {
      const sandbox = await startSandbox(context);
      const outcome = await openClient(row, sandbox.url).update('665f1f77bcf86cd799439099', format().payload);
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    });

    test('A23, A26: a reason is one bounded line without escapes and without the credential', async (context) => {
      const sandbox = await startSandbox(context);
      for (const body of remoteWords(row)) {
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 422, body }]);
        const outcome = await openClient(row, sandbox.url).create(format().payload);
        assert.ok(outcome.kind === 'rejected', JSON.stringify(outcome));
        assert.ok(outcome.reason.length <= 300);
        assert.doesNotMatch(outcome.reason, /\p{Cc}/u);
        for (const secret of [row.credentials.apiKey, row.credentials.token]) {
          if (secret !== undefined) assert.ok(!outcome.reason.includes(secret));
        }
      }
    });
  });
}

/** Error bodies of the platform that repeat the credential, clear the screen, and go on for long. */
function remoteWords(row: Row): object[] {
  const secret = row.credentials.apiKey ?? row.credentials.token ?? '';
  const words = [
    `the key ${secret} is \u001b[2Jbad\r\nX: y`,
    `${'x'.repeat(177)}${secret}`,
    'long '.repeat(5000),
    '\u009b31mred',
  ];
  return words.map((text) =>
    row.key === 'blogsite_a'
      ? { error: text, status: 422 }
      : { errors: [{ message: text, extensions: { code: 'BAD_USER_INPUT' } }] },
  );
}
