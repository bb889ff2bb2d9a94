/** Explanations of responses that are no success. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFindings } from '../../cli/server/json.ts';
import { createResponseFailure } from '../../cli/server/refusal.ts';
import { formatSeconds, readRetryAfter } from '../../cli/server/retry.ts';
import { TOKEN } from './cli-home.ts';

describe('a response that is no success', () => {
  const respond = (status: number, body: unknown, headers: Record<string, string> = {}, statusText = '') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = { status, statusText, headers: new Headers(headers), text };
    return createResponseFailure(response, { url: 'https://a.io/x', token: { token: TOKEN, source: '--token' } });
  };
  const explain = (...args: Parameters<typeof respond>) => {
    const { exitCode, message, details } = respond(...args);
    return [exitCode, message, ...details.hints];
  };

  test('is explained by the server’s own words', () => {
    const problem = { title: 'Conflict', detail: 'It was changed', code: 'CONFLICT', requestId: 'r1' };
    assert.deepEqual(explain(409, problem), [1, 'The server returned 409 (Conflict): It was changed.']);
    assert.deepEqual(respond(409, problem).details.server, { status: 409, code: 'CONFLICT', requestId: 'r1' });
    assert.deepEqual(explain(422, { title: 'Invalid' }), [2, 'The server returned 422 (Invalid).']);
    assert.deepEqual(explain(413, { detail: 'Too large!' }), [2, 'The server returned 413: Too large!']);
    const { details } = respond(422, {
      errors: [{ message: 'Wrong.', path: 'tags', code: 'x', line: 3 }, 'Bare.', { message: ' ' }],
    });
    assert.deepEqual(details.problems, [
      { path: 'tags', message: 'Wrong.', line: 3 },
      { path: '', message: 'Bare.' },
    ]);
  });

  test('of another program is explained by its type', () => {
    assert.deepEqual(explain(400, '', {}, 'Bad Request'), [
      1,
      'The server returned 400 (Bad Request): no reason (empty body).',
    ]);
    assert.deepEqual(explain(400, 'plain reason', { 'content-type': 'text/plain; charset=utf-8' }), [
      1,
      'The server returned 400: plain reason.',
    ]);
    assert.deepEqual(explain(400, '<h1>', { 'content-type': 'text/html; x' }), [
      1,
      'The server returned 400: no readable reason (text/html). The response may come from a proxy.',
    ]);
    assert.deepEqual(explain(400, '<h1>'), [
      1,
      'The server returned 400: no readable reason (no content type). The response may come from a proxy.',
    ]);
    assert.equal(
      respond(400, 'x'.repeat(400), { 'content-type': 'TEXT/plain' }).message.length,
      'The server returned 400: .'.length + 300,
    );
  });

  test('has a hint for its status', () => {
    const hint = (status: number, headers: Record<string, string> = {}) =>
      respond(status, { detail: 'No.' }, headers).details.hints;
    assert.deepEqual(hint(301, { location: 'https://b.io' }), [
      'It redirects to https://b.io. A token is not sent after a redirect: set the correct address with --endpoint.',
    ]);
    assert.deepEqual(hint(399), [
      'It redirects to an unknown address. A token is not sent after a redirect: set the correct address with --endpoint.',
    ]);
    assert.deepEqual(hint(401), [
      'The token (courant_0123…cdef, from --token) is unknown, expired or revoked. Create a new one on the settings page.',
    ]);
    for (const status of [404, 405])
      assert.deepEqual(hint(status), ['Is https://a.io/x an address of a Courant server? See --endpoint.']);
    for (const status of [429, 500, 503]) assert.deepEqual(hint(status, { 'retry-after': '7' }), ['Try again in 7 s.']);
    assert.deepEqual(hint(500), ['Try again later. Nothing is published twice.']);
    for (const status of [400, 429]) assert.deepEqual(hint(status), []);
    assert.deepEqual(hint(400, { 'retry-after': '7' }), []);
    const anonymous = { status: 401, statusText: '', headers: new Headers(), text: '{"detail":"No."}' };
    assert.deepEqual(createResponseFailure(anonymous, { url: 'x' }).details.hints, [
      'The token is unknown, expired or revoked. Create a new one on the settings page.',
    ]);
  });

  test('waits for seconds, a date, or the reset of the rate limit', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);
    assert.equal(read({ 'retry-after': '7', 'ratelimit-reset': '9' }), 7_000);
    assert.equal(read({ 'retry-after': 'x', 'ratelimit-reset': '9' }), 9_000);
    assert.equal(read({ 'retry-after': '1'.repeat(10) }), null);
    assert.equal(read({ 'retry-after': 'x7' }), null);
    assert.equal(read({ 'retry-after': '7x' }), null);
    for (const [milliseconds, text] of [
      [0, '0 s'],
      [1_540, '1.5 s'],
      [9_940, '9.9 s'],
      [10_000, '10 s'],
      [10_001, '11 s'],
    ] as const) {
      assert.equal(formatSeconds(milliseconds), text);
    }
  });
});

test('findings of a server keep only their known fields', () => {
  const known = { code: 'c', path: 'p', line: 1, column: 2, destination: 'blogsite_a', message: 'M' };
  const wrong = { code: 1, path: 2, line: '1', column: '2', destination: 3, other: 'x', message: 'N' };
  assert.deepEqual(readFindings([known, wrong, 'text', null, {}, { message: '' }, 7]), [
    known,
    { message: 'N' },
    { message: 'text' },
  ]);
  assert.deepEqual(readFindings({ 0: known }), []);
});
