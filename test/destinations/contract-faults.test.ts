/** The same contract where networks, proxies and platforms fail: every way of failing has one outcome. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../destinations/types.ts';
import { closedOrigin, makeArticle, openClient, ROWS, startSandbox, startServer } from './stand-ins.ts';

const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>';

function done<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

for (const row of ROWS) {
  const { destination } = row;
  const format = (article = makeArticle()) => ({ article, payload: destination.format(article).payload });

  describe(`${destination.label}, failing`, () => {
    for (const [header, expected] of [
      ['7', 7000],
      [new Date(Date.now() + 60_000).toUTCString(), 'about a minute'],
      ['99999999999999999999', 3_600_000],
      ['soon', null],
      [undefined, 'the platform default'],
    ] as const) {
      test(`F11: 429 with Retry-After ${header ?? 'as the platform gives it'} is a bounded wait`, async (context) => {
        const sandbox = await startSandbox(context);
        const headers = header === undefined ? {} : { headers: { 'Retry-After': header } };
        await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 429, ...headers }]);
        const outcome = await openClient(row, sandbox.url).create(format().payload);
        assert.ok(outcome.kind === 'rateLimited', JSON.stringify(outcome));
        if (expected === 'about a minute') assert.ok(Math.abs((outcome.retryAfterMs ?? 0) - 60_000) < 5000);
        else assert.equal(outcome.retryAfterMs, expected === 'the platform default' ? 30_000 : expected);
        assert.deepEqual(await sandbox.log(), []);
      });
    }

    test('F11: 429 without Retry-After, even as HTML, is a wait of unknown length', async (context) => {
      const origin = await startServer(context, (_request, response) => response.writeHead(429).end(HTML));
      const outcome = await openClient(row, origin).create(format().payload);
      assert.deepEqual({ ...outcome, reason: '' }, { kind: 'rateLimited', retryAfterMs: null, reason: '' });
    });

    test('F12: a 5xx leaves a create unknown, and what may be repeated unavailable', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      for (const status of [500, 503]) {
        await sandbox.setFaults([{ platform: row.key, action: 'any', times: 5, status }]);
        assert.equal((await client.create(payload)).kind, 'unknown');
        assert.equal((await client.update('1', payload)).kind, 'unavailable');
        assert.equal((await client.withdraw('1')).kind, 'unavailable');
        assert.equal((await client.find(article)).kind, 'unavailable');
        assert.equal((await client.probe()).kind, 'unavailable');
      }
    });

    for (const status of [200, 401, 403, 404, 422, 502]) {
      test(`HTML with status ${status} is weather, not an answer`, async (context) => {
        const sandbox = await startSandbox(context);
        const client = openClient(row, sandbox.url);
        const { article, payload } = format();
        await sandbox.setFaults([{ platform: row.key, action: 'any', times: 4, status, body: HTML }]);
        assert.equal((await client.create(payload)).kind, 'unknown');
        assert.equal((await client.update('1', payload)).kind, 'unknown');
        assert.equal((await client.find(article)).kind, 'unavailable');
        assert.equal((await client.probe()).kind, 'unavailable');
      });
    }

    test('F1: a connection cut before the work leaves the outcome unknown and nothing there', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, drop: 'before' }]);
      assert.equal((await client.create(payload)).kind, 'unknown');
      assert.equal(done(await client.find(article)), null);
    });

    test('F2: a connection cut after the work leaves the outcome unknown, and the post is found', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, drop: 'after' }]);
      assert.equal((await client.create(payload)).kind, 'unknown');
      const [entry] = await sandbox.log();
      assert.equal(done(await client.find(article))?.remoteId, entry?.remoteId);
    });

    test('F9: a time-out after the work leaves the outcome unknown, and the post is found', async (context) => {
      const sandbox = await startSandbox(context);
      const { article, payload } = format();
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, delayMs: 2000 }]);
      const started = performance.now();
      const outcome = await openClient(row, sandbox.url, { timeoutMs: 300 }).create(payload);
      assert.equal(outcome.kind, 'unknown');
      assert.ok(performance.now() - started < 1500);
      assert.ok(done(await openClient(row, sandbox.url).find(article)));
    });

    test('F10: a 422 that saved the post is a refusal that says to look', async (context) => {
      const sandbox = await startSandbox(context);
      const client = openClient(row, sandbox.url);
      const { article, payload } = format();
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 422, saved: true }]);
      const outcome = await client.create(payload);
      assert.ok(outcome.kind === 'rejected' && outcome.maybeSaved === true, JSON.stringify(outcome));
      assert.ok(done(await client.find(article)));
    });

    test('F23: an endless answer is cut off at a bound', async (context) => {
      let cut = false;
      const origin = await startServer(context, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const pour = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        };
        response.on('drain', pour).on('close', () => {
          cut = true;
        });
        pour();
      });
      assert.equal((await openClient(row, origin).create(format().payload)).kind, 'unknown');
      assert.equal((await openClient(row, origin).probe()).kind, 'unavailable');
      assert.ok(cut);
    });

    test('an answer that stops in the middle leaves a create unknown', async (context) => {
      const origin = await startServer(context, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"id": 1, "url": "https://');
        setTimeout(() => response.destroy(), 20);
      });
      assert.equal((await openClient(row, origin).create(format().payload)).kind, 'unknown');
    });

    test('JSON that is not the platform’s leaves a create unknown', async (context) => {
      for (const body of ['{}', '[]', 'null', '"ok"', '{"data": null}', '{"id": "x", "url": 7}', '']) {
        const origin = await startServer(context, (_request, response) => response.end(body));
        assert.equal((await openClient(row, origin).create(format().payload)).kind, 'unknown', body);
      }
    });

    test('A9: a redirect is not followed; the moved endpoint is a configuration error', async (context) => {
      let followed = 0;
      const target = await startServer(context, (_request, response) => {
        followed += 1;
        response.end('{}');
      });
      for (const status of [301, 308]) {
        const origin = await startServer(context, (_request, response) =>
          response.writeHead(status, { location: `${target}/elsewhere` }).end(HTML),
        );
        for (const outcome of [
          await openClient(row, origin).create(format().payload),
          await openClient(row, origin).probe(),
        ]) {
          assert.ok(outcome.kind === 'rejected' && outcome.code === 'endpoint_moved', JSON.stringify(outcome));
        }
      }
      assert.equal(followed, 0);
    });

    test('a refused connection means that nothing was sent', async () => {
      const client = openClient(row, await closedOrigin());
      assert.equal((await client.create(format().payload)).kind, 'unavailable');
      assert.equal((await client.update('1', format().payload)).kind, 'unavailable');
    });

    test('A11: without the operator’s word a local address is not called at all', async (context) => {
      let called = 0;
      const origin = await startServer(context, (_request, response) => {
        called += 1;
        response.end('{}');
      });
      const connection = { baseUrl: `${origin}${row.path}`, credentials: row.credentials };
      const client = destination.createClient({ connection, timeoutMs: 1000, now: () => new Date() });
      const outcome = await client.probe();
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'address_refused', JSON.stringify(outcome));
      assert.equal(called, 0);
    });

    test('a cancelled call ends at once', async (context) => {
      const sandbox = await startSandbox(context);
      await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, delayMs: 5000 }]);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const started = performance.now();
      const outcome = await openClient(row, sandbox.url, { signal: controller.signal }).create(format().payload);
      assert.equal(outcome.kind, 'unknown');
      assert.ok(performance.now() - started < 2000);
    });
  });
}
