/**
 * The contract when networks, proxies and platforms fail: every kind of failure has one outcome.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>';

const DAY_MS = 24 * 60 * 60 * 1000;
/** An update may read the post first. It is repeatable before and after that read. */
const REPEATABLE = ['unknown', 'unavailable'];

for (const row of ROWS) {
  const { destination } = row;
  const { canFind, canUpdate, withdraw, repeat } = destination.limits;

  describe(`${destination.label}: failures`, () => {
    for (const [value, expected] of [
      ['7', 7000],
      ['of a minute from now, as a date', 'about a minute'],
      ['99999999999999999999', 3_600_000],
      ['soon', null],
      [undefined, 'the platform default'],
    ] as const) {
      test(`429 with Retry-After ${value ?? 'of the platform'} causes a bounded wait (F11)`, async (context) => {
        const header = expected === 'about a minute' ? new Date(Date.now() + 60_000).toUTCString() : value;
        const sandbox = await startSandbox(context);
        const headers = header === undefined ? {} : { headers: { 'Retry-After': header } };
        const client = openClient(row, sandbox.url);
        const { payload } = await prepareArticle(row, client);
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 429, ...headers }]);
        const outcome = await client.create(payload);
        assert.ok(outcome.kind === 'rateLimited', JSON.stringify(outcome));
        const expectedWait = expected === 'the platform default' ? row.retryAfterMs : expected;
        if (row.retryAfterMs === 'until midnight' && (expectedWait === null || expectedWait === 'until midnight')) {
          const endsAt = Date.now() + (outcome.retryAfterMs ?? 0);
          assert.ok(endsAt % DAY_MS < 120_000, new Date(endsAt).toISOString());
        } else if (expected === 'about a minute') assert.ok(Math.abs((outcome.retryAfterMs ?? 0) - 60_000) < 5000);
        else assert.equal(outcome.retryAfterMs, expectedWait);
        assert.deepEqual(await sandbox.log(), []);
      });
    }

    test('429 without Retry-After, even as HTML, is a wait of unknown length (F11)', async (context) => {
      const origin = await startServer(context, (_request, response) => response.writeHead(429).end(HTML));
      const { payload } = await prepareArticleInSandbox(context, row);
      const outcome = await openClient(row, origin).create(payload);
      assert.deepEqual({ ...outcome, reason: '' }, { kind: 'rateLimited', retryAfterMs: null, reason: '' });
    });

    test('after a 5xx a create is unknown, and repeatable calls are unavailable (F12)', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = await prepareArticle(row, client);
      for (const status of [500, 503]) {
        await sandbox.setFaults([{ platform: row.key, action: 'any', times: 100, status }]);
        assert.equal((await client.create(payload)).kind, 'unknown');
        if (canUpdate) assert.equal((await client.update(row.missingId, payload)).kind, 'unavailable');
        if (withdraw !== 'none') assert.equal((await client.withdraw(row.missingId)).kind, 'unavailable');
        if (canFind) assert.equal((await client.find(article)).kind, 'unavailable');
        assert.equal((await client.probe()).kind, 'unavailable');
      }
    });

    for (const status of [200, 401, 403, 404, 422, 502]) {
      test(`HTML with status ${status} is a foreign response`, async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        await sandbox.setFaults([{ platform: row.key, action: 'any', times: 100, status, body: HTML }]);
        assert.equal((await client.create(payload)).kind, 'unknown');
        if (canUpdate) assert.ok(REPEATABLE.includes((await client.update(row.missingId, payload)).kind));
        if (withdraw !== 'none') assert.ok(REPEATABLE.includes((await client.withdraw(row.missingId)).kind));
        if (canFind) assert.equal((await client.find(article)).kind, 'unavailable');
        assert.equal((await client.probe()).kind, 'unavailable');
      });
    }

    test('a connection cut before the work leaves the outcome unknown and creates nothing (F1)', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = await prepareArticle(row, client);
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, drop: 'before' }]);
      assert.equal((await client.create(payload)).kind, 'unknown');
      assert.deepEqual(await sandbox.log(), []);
      if (canFind) assert.equal(expectDone(await client.find(article)), null);
      if (repeat) expectDone(await client.create(payload));
      assert.equal((await sandbox.log()).length, repeat ? 1 : 0);
    });

    for (const [name, code, fault, timeoutMs] of [
      ['a connection cut after the work', 'F2', { drop: 'after' }, 5000],
      ['a time-out after the work', 'F9', { delayMs: 20_000 }, 300],
    ] as const) {
      const resolution = describeResolution(canFind, repeat !== null);
      test(`${name} leaves the outcome unknown, and ${resolution} (${code})`, async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, ...fault }]);
        const started = performance.now();
        assert.equal((await openClient(row, sandbox.url, { timeoutMs }).create(payload)).kind, 'unknown');
        assert.ok(performance.now() - started < 15_000);
        const [entry] = await sandbox.log();
        assert.ok(entry);
        if (canFind) assert.equal(expectDone(await client.find(article))?.remoteId, entry.remoteId);
        if (repeat) assert.equal(expectDone(await client.create(payload)).remoteId, entry.remoteId);
        assert.deepEqual(await sandbox.log(), [entry]);
      });
    }

    if (row.canSaveRefusedPost) {
      test('a refusal after which the post exists is marked as possibly saved (F10)', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = await prepareArticle(row, client);
        const { status } = row.refusal('');
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status, saved: true }]);
        const outcome = await client.create(payload);
        assert.ok(outcome.kind === 'rejected' && outcome.mayBeSaved === true, JSON.stringify(outcome));
        assert.ok(expectDone(await client.find(article)));
      });
    }

    if (row.isPrepared) {
      test('a preparation that fails at any point creates no post, and can be repeated', async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { payload } = destination.format(makeArticle(row.article));
        const faults = [{ drop: 'before' }, { drop: 'after' }, { status: 503 }, { status: 502, body: HTML }];
        for (const fault of faults) {
          await sandbox.setFaults([{ platform: row.key, action: 'any', times: 1, ...fault }]);
          assert.equal((await client.prepare?.(payload))?.kind, 'unavailable', JSON.stringify(fault));
          await sandbox.setFaults([]);
          expectDone(await client.create(await preparePayload(client, payload)));
        }
      });
    }

    test('an endless response is cut off at a limit (F23)', async (context) => {
      let cut = false;
      const origin = await startServer(context, (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        // The response to a HEAD request has no body.
        if (request.method === 'HEAD') return void response.end();
        const pour = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        };
        response.on('drain', pour).on('close', () => {
          cut = true;
        });
        pour();
      });
      const { payload } = await prepareArticleInSandbox(context, row);
      assert.equal((await openClient(row, origin).create(payload)).kind, 'unknown');
      assert.equal((await openClient(row, origin).probe()).kind, 'unavailable');
      assert.ok(cut);
    });

    test('a truncated response leaves a create unknown', async (context) => {
      const origin = await startServer(context, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"id": 1, "url": "https://');
        setTimeout(() => response.destroy(), 20);
      });
      const { payload } = await prepareArticleInSandbox(context, row);
      assert.equal((await openClient(row, origin).create(payload)).kind, 'unknown');
    });

    test('JSON in another format than the platform’s leaves a create unknown', async (context) => {
      const { payload } = await prepareArticleInSandbox(context, row);
      for (const body of ['{}', '[]', 'null', '"ok"', '{"data": null}', '{"id": "x", "url": 7}', '']) {
        for (const status of [200, 201]) {
          const origin = await startServer(context, (_request, response) => response.writeHead(status).end(body));
          assert.equal((await openClient(row, origin).create(payload)).kind, 'unknown', `${status} ${body}`);
        }
      }
    });

    test('a redirect is not followed; the moved endpoint is a configuration error (A9)', async (context) => {
      let followed = 0;
      const target = await startServer(context, (_request, response) => {
        followed += 1;
        response.end('{}');
      });
      const { payload } = await prepareArticleInSandbox(context, row);
      for (const status of [301, 308]) {
        const origin = await startServer(context, (_request, response) =>
          response.writeHead(status, { location: `${target}/elsewhere` }).end(HTML),
        );
        const client = openClient(row, origin);
        for (const outcome of [await client.create(payload), await client.probe()]) {
          assert.ok(outcome.kind === 'rejected' && outcome.code === 'endpoint_moved', JSON.stringify(outcome));
        }
      }
      assert.equal(followed, 0);
    });

    test('a refused connection means that nothing was sent', async (context) => {
      const client = openClient(row, await closedOrigin());
      const { payload } = await prepareArticleInSandbox(context, row);
      assert.equal((await client.create(payload)).kind, 'unavailable');
      if (canUpdate) assert.equal((await client.update(row.missingId, payload)).kind, 'unavailable');
    });

    test('a local address is not called unless the operator allows it (A11)', async (context) => {
      let called = 0;
      const origin = await startServer(context, (_request, response) => {
        called += 1;
        response.end('{}');
      });
      const connection = { baseUrl: `${origin}${row.path}`, credentials: row.credentials };
      const client = destination.createClient({ connection, timeoutMs: 1000, now: () => new Date() });
      const { payload } = await prepareArticleInSandbox(context, row);
      for (const outcome of [await client.probe(), await client.create(payload)]) {
        assert.ok(outcome.kind === 'rejected' && outcome.code === 'address_refused', JSON.stringify(outcome));
      }
      assert.equal(called, 0);
    });

    test('a cancelled call ends at once', async (context) => {
      const sandbox = await startSandbox(context);
      const { payload } = await prepareArticle(row, openClient(row, sandbox.url));
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, delayMs: 30_000 }]);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const started = performance.now();
      const outcome = await openClient(row, sandbox.url, { signal: controller.signal }).create(payload);
      assert.equal(outcome.kind, 'unknown');
      assert.ok(performance.now() - started < 20_000);
    });
  });
}

/** How a create without a response is resolved. */
function describeResolution(canFind: boolean, canRepeat: boolean): string {
  if (canFind) return 'the post is found';
  return canRepeat ? 'a repeat returns the post' : 'there is one post';
}
