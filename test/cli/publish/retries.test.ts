/** Retries of a publish, and the wait before them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRetryAfter } from '../../../cli/server/retry.ts';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { TOKEN } from '../cli-home.ts';
import { created, dropped, plain, problem, setUpPublish, silent, startPublishServer } from './publish-server.ts';

const SOON = { 'retry-after': '0' };

describe('a publish is retried', () => {
  const cli = setUpPublish();

  const publish = () => cli.home.run(['publish', cli.file, '--endpoint', cli.server.endpoint, '--token', TOKEN]);
  const keys = () => new Set(cli.server.requests.map(({ headers }) => headers['idempotency-key']));

  it('with the same Idempotency-Key after 503, a cut connection and the rate limit (F5)', async () => {
    cli.server.next(problem(503, {}, SOON), dropped(), problem(429, {}, { 'retry-after': '1' }), created());
    const started = performance.now();
    const { code, stdout, stderr } = await publish();
    assert.ok(performance.now() - started > 1_000, 'it waits as long as Retry-After requires');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Created/);
    assert.equal(cli.server.requests.length, 4);
    assert.equal(keys().size, 1);
    assert.match(String([...keys()][0]), /^[0-9a-f-]{36}$/);
    assert.match(stderr, /The server returned 503\. Retrying in 0 s\./);
    assert.match(stderr, /closed before a response arrived .*Retrying in/);
    assert.match(stderr, /This token has reached its rate limit \(429\)\. Retrying in 1 s\./);
  });

  it('with a different key for each command', async () => {
    await publish();
    await publish();
    assert.equal(keys().size, 2);
  });

  it('if an earlier attempt, whose response was lost, is still in progress (F5)', async () => {
    cli.server.next(dropped(), problem(409, {}, SOON), created());
    assert.equal((await publish()).code, 0);
    assert.equal(keys().size, 1);
  });

  it('at most three times', async () => {
    cli.server.next(...Array.from({ length: 9 }, () => problem(502, { title: 'Bad Gateway' }, SOON)));
    const { code, stderr } = await publish();
    assert.equal(code, 1);
    assert.match(stderr, /error: The server returned 502 \(Bad Gateway\)\./);
    assert.equal(cli.server.requests.length, 4);
    await cli.server.close();
    cli.server = await startPublishServer();
  });

  it('but not after a final response', async () => {
    for (const status of [400, 401, 403, 404, 409, 422, 500]) {
      cli.server.next(plain(status, ''));
      cli.server.requests.length = 0;
      assert.notEqual((await publish()).code, 0);
      assert.equal(cli.server.requests.length, 1, String(status));
    }
  });

  it('if the connection is refused; the failure names the address', async () => {
    const port = await findFreePort();
    const args = ['publish', cli.file, '--endpoint', `http://127.0.0.1:${port}/graphql`, '--token', TOKEN];
    const { code, stderr } = await cli.home.run(args);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`^error: Cannot connect to http://127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\)`, 'm'),
    );
  });

  it('until Ctrl-C, which exits with 130', async () => {
    cli.server.next(silent());
    const result = await cli.home.run(['publish', cli.file, '--endpoint', cli.server.endpoint, '--token', TOKEN], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (cli.server.requests.length === 0) return;
          clearInterval(timer);
          child.kill('SIGINT');
        }, 10);
      },
    });
    assert.equal(result.code, 130);
    assert.match(result.stderr, /The server may have received the article.*\nInterrupted\.\n$/);
  });

  it('until Ctrl-C during a wait', async () => {
    cli.server.next(problem(503, {}, { 'retry-after': '50' }));
    const started = Date.now();
    const result = await cli.home.run(['publish', cli.file, '--endpoint', cli.server.endpoint, '--token', TOKEN], {
      onStart: (child) => child.stderr?.once('data', () => child.kill('SIGINT')),
    });
    assert.equal(result.code, 130);
    // With the start of the program on a busy machine, and less than the wait.
    assert.ok(Date.now() - started < 40_000);
  });
});

describe('the wait that a server requests', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);

  it('is in seconds, a date of the server’s clock, or the reset of the rate limit', () => {
    assert.equal(read({ 'retry-after': '7' }), 7_000);
    assert.equal(read({ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }), 30_000);
    const date = 'Sat, 21 Nov 2026 15:00:00 GMT';
    assert.equal(read({ 'retry-after': 'Sat, 21 Nov 2026 15:00:05 GMT', date }), 5_000);
    assert.equal(read({ 'retry-after': 'Sat, 21 Nov 2020 12:00:00 GMT' }), 0);
    assert.equal(read({ 'ratelimit-reset': '12' }), 12_000);
  });

  it('is unknown if the header is absent or malformed', () => {
    for (const headers of [{}, { 'retry-after': 'soon' }, { 'retry-after': '-5' }, { 'retry-after': '1e9' }]) {
      assert.equal(read(headers), null, JSON.stringify(headers));
    }
  });
});
