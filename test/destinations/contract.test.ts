/**
 * The contract that every destination fulfils within its limits, against the sandbox over real
 * HTTP.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RemotePost } from '../../destinations/types.ts';
import {
  closedOrigin,
  expectDone,
  makeArticle,
  openClient,
  prepareArticle,
  prepareArticleInSandbox,
  preparePayload,
  startSandbox,
  startServer,
} from './destination-harness.ts';
import { ROWS } from './rows/index.ts';

for (const row of ROWS) {
  const { destination } = row;
  const { canFind, canUpdate, withdraw, repeat } = destination.limits;

  describe(destination.label, () => {
    test('a probe of a valid credential returns the account and everything needed to publish', async (context) => {
      const sandbox = await startSandbox(context);
      const found = expectDone(await openClient(row, sandbox.url, row.entered ?? {}).probe());
      assert.equal(found.account, row.account.replace('{host}', new URL(sandbox.url).host));
      assert.ok(found.name.length > 0);
      if (row.name) assert.equal(found.name, row.name);
      const connection = {
        baseUrl: found.baseUrl ?? `${sandbox.url}${row.entered?.path ?? row.path}`,
        credentials: { ...(row.entered?.credentials ?? row.credentials), ...found.settings },
      };
      const options = { connection, timeoutMs: 5000, now: () => new Date(), allowPrivate: true };
      const client = destination.createClient(options);
      expectDone(await client.create((await prepareArticle(row, client)).payload));
    });

    test('an article is created once, and its URL shows the post', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = await prepareArticle(row, client);
      assert.deepEqual(await sandbox.log(), []);
      const post = expectDone(await client.create(payload));
      await assertShown(post, row.pageShows(article));
      const { canonicalUrl, title } = article;
      const { remoteId } = post;
      assert.deepEqual(
        (await sandbox.log()).map(({ at: _at, account: _account, ...entry }) => entry),
        [{ platform: row.key, action: 'create', remoteId, canonicalUrl, title }],
      );
    });

    if (openClient(row, 'http://127.0.0.1').prepare) {
      test('preparing is idempotent and creates no post', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { payload } = destination.format(makeArticle(row.article));
        const first = await preparePayload(client, payload);
        assert.deepEqual(await preparePayload(client, payload), first);
        assert.deepEqual(await preparePayload(client, first), first);
        assert.deepEqual(await sandbox.log(), []);
      });
    }

    if (canFind) {
      test('a post is found by its canonical URL, and other posts are not', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        const post = expectDone(await client.create(payload));
        const spelled = `${article.canonicalUrl.replace('https://blog', 'HTTPS://Blog')}/?utm_source=feed#top`;
        assertSame(expectDone(await client.find(article)), post);
        assertSame(expectDone(await client.find({ ...article, canonicalUrl: spelled })), post);
        assertSame(expectDone(await client.find({ ...article, slug: 'another-slug' })), post);
        if (row.findsEverySpelling) {
          assertSame(expectDone(await client.find({ ...article, canonicalUrl: spelled, slug: 'another-slug' })), post);
        }
        assert.equal(expectDone(await client.find(makeArticle())), null);
        // With the same slug and another canonical URL, the post is the author's own.
        assert.equal(expectDone(await client.find({ ...makeArticle(), slug: article.slug })), null);
      });

      test('after a restore, a post is found by its title or a former address, and another article’s post is not', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        // Platforms cut this title, and WordPress stores its signs as references.
        const title = `AT&T <b> -- “C++” isn’t [done] ${'and so on '.repeat(60)}`;
        const { article, payload } = await prepareArticle(row, client, { title });
        const post = expectDone(await client.create(payload));
        const backup = { ...article, slug: 'former', canonicalUrl: 'https://blog.example.com/former' };
        const restored = { siteUrl: 'https://blog.example.com', formerUrls: [], otherUrls: [] };
        const find = async (more: object) => expectDone(await client.find({ ...backup, restored, ...more }));
        const byAddress = { title: 'Edited', restored: { ...restored, formerUrls: [article.canonicalUrl] } };
        assert.equal(expectDone(await client.find(backup)), null);
        assertSame(await find({}), post);
        assertSame(await find(byAddress), post);
        for (const other of [
          { title: 'Edited' },
          { restored: { ...restored, siteUrl: 'https://elsewhere.example' } },
          { restored: { ...restored, otherUrls: [article.canonicalUrl] } },
          { excludedIds: new Set([post.remoteId]) },
          { ...byAddress, excludedIds: new Set([post.remoteId]) },
        ]) {
          assert.equal(await find(other), null, JSON.stringify(other));
        }
      });
    }

    if (canUpdate) {
      test('an update changes the post in place', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        const post = expectDone(await client.create(payload));
        const changed = { ...article, title: 'A better title', body: 'Better.\n' };
        const next = await preparePayload(client, destination.format(changed).payload);
        assertSame(expectDone(await client.update(post.remoteId, next)), post);
        await assertShown(post, row.pageShows(changed));
        assert.deepEqual(
          (await sandbox.log()).map((entry) => [entry.action, entry.remoteId]),
          [
            ['create', post.remoteId],
            ['update', post.remoteId],
          ],
        );
      });

      test('a deleted post cannot be updated', async (context) => {
        const client = openClient(row, (await startSandbox(context)).url);
        const outcome = await client.update(row.missingId, (await prepareArticle(row, client)).payload);
        assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
      });
    }

    if (withdraw !== 'none') {
      test('a withdrawn post is not public, and withdrawing it again has no effect', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        const post = expectDone(await client.create(payload));
        assert.equal(expectDone(await client.withdraw(post.remoteId)), null);
        assert.equal((await fetch(post.url)).status, 404);
        if (withdraw === 'deleted') {
          const again = await client.withdraw(post.remoteId);
          assert.ok(again.kind === 'done' || (again.kind === 'rejected' && again.code === 'remote_gone'));
          if (canFind) assert.equal(expectDone(await client.find(article)), null);
        } else {
          expectDone(await client.withdraw(post.remoteId));
        }
        assert.deepEqual((await sandbox.log()).map(({ action }) => action).slice(0, 2), ['create', 'withdraw']);
      });
    }

    if ((withdraw === 'unpublished' || withdraw === 'delisted') && canFind && canUpdate) {
      test('a withdrawn post that still exists is found, and an update publishes it again', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        const post = expectDone(await client.create(payload));
        expectDone(await client.withdraw(post.remoteId));
        assert.equal(expectDone(await client.find(article))?.remoteId, post.remoteId);
        const back = expectDone(await client.update(post.remoteId, payload));
        assert.equal(back.remoteId, post.remoteId);
        await assertShown(back, row.pageShows(article));
        assert.deepEqual(
          (await sandbox.log()).map(({ action }) => action),
          ['create', 'withdraw', 'update'],
        );
      });
    }

    if (!canFind || !canUpdate || withdraw === 'none') {
      test('a call that the platform does not support is rejected with a code, and nothing is sent', async (context) => {
        let sent = 0;
        const origin = await startServer(context, (_request, response) => {
          sent += 1;
          response.end('{}');
        });
        const client = openClient(row, origin);
        const { article, payload } = await prepareArticleInSandbox(context, row);
        const refused = [
          canFind ? null : ([await client.find(article), 'cannot_find'] as const),
          canUpdate ? null : ([await client.update(row.missingId, payload), 'cannot_update'] as const),
          withdraw !== 'none' ? null : ([await client.withdraw(row.missingId), 'cannot_withdraw'] as const),
        ];
        for (const [outcome, code] of refused.filter((entry) => entry !== null)) {
          assert.ok(outcome.kind === 'rejected' && outcome.code === code, JSON.stringify(outcome));
        }
        assert.equal(sent, 0);
      });
    }

    if (repeat) {
      test('a repeated identical create returns the first post and creates no other', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { payload } = await prepareArticle(row, client);
        const post = expectDone(await client.create(payload));
        assertSame(expectDone(await client.create(payload)), post);
        assert.equal((await sandbox.log()).length, 1);
        assert.ok(repeat.afterMs < repeat.withinMs);
      });
    }

    test('every call reports a wrong credential as unauthorised', async (context) => {
      const sandbox = await startSandbox(context);
      const { article, payload } = await prepareArticle(row, openClient(row, sandbox.url));
      const client = openClient(row, sandbox.url, { credentials: row.refusedCredentials });
      assert.equal((await client.probe()).kind, 'unauthorised');
      assert.equal((await client.create(payload)).kind, 'unauthorised');
      if (row.isPrepared) {
        assert.equal((await client.prepare?.(destination.format(article).payload))?.kind, 'unauthorised');
      }
      if (canUpdate) assert.equal((await client.update(row.missingId, payload)).kind, 'unauthorised');
      if (withdraw !== 'none') assert.equal((await client.withdraw(row.missingId)).kind, 'unauthorised');
      if (canFind && !row.publicReads) assert.equal((await client.find(article)).kind, 'unauthorised');
      assert.deepEqual(await sandbox.log(), []);
    });

    test('a credential with a line break is refused before anything is sent', async (context) => {
      const credentials = Object.fromEntries(
        Object.entries(row.credentials).map(([name, value]) => [name, `${value}\r\nx: y`]),
      );
      const { payload } = await prepareArticleInSandbox(context, row);
      const outcome = await openClient(row, await closedOrigin(), { credentials }).create(payload);
      assert.equal(outcome.kind, 'unauthorised');
    });

    test('a reason is one bounded line without escapes and without the credential (A23, A26)', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { payload } = await prepareArticle(row, client);
      for (const words of listHostileMessages(row.secret)) {
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, ...row.refusal(words) }]);
        const outcome = await client.create(payload);
        assert.ok(outcome.kind === 'rejected', JSON.stringify(outcome));
        assert.ok(outcome.reason.length <= 300);
        assert.doesNotMatch(outcome.reason, /\p{Cc}/u);
        assert.ok(!outcome.reason.includes(row.secret));
      }
    });
  });
}

/** Hostile error messages: they repeat the credential, clear the screen, or are very long. */
function listHostileMessages(secret: string): string[] {
  return [
    `the key ${secret} is \u001b[2Jbad\r\nX: y`,
    `${'x'.repeat(177)}${secret}`,
    'long '.repeat(5000),
    '\u009b31mred',
  ];
}

async function assertShown(post: RemotePost, texts: readonly string[]): Promise<void> {
  const page = await fetch(post.url);
  assert.equal(page.status, 200);
  const html = await page.text();
  for (const text of texts) assert.ok(html.includes(text), text);
}

/** Lists may omit when a post was changed. */
function assertSame(found: RemotePost | null, post: RemotePost): void {
  assert.deepEqual([found?.remoteId, found?.url], [post.remoteId, post.url]);
}
