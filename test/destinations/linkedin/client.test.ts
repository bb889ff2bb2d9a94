/**
 * Behaviour that only LinkedIn has: month versions, creates without a response body, refusals that
 * name the first post.
 */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { linkedin } from '../../../destinations/linkedin/index.ts';
import { API_VERSION } from '../../../destinations/linkedin/limits.ts';
import { DEMO_LINKEDIN_ORGANIZATION } from '../../../sandbox/app.ts';
import { closedOrigin, makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { linkedinRow as row } from '../rows/linkedin.ts';

const { credentials } = row;
const buildPayload = (changes = {}) => linkedin.format(makeArticle({ coverImage: null, ...changes })).payload;

test('a post is one request with the version’s headers, and its address is on the site of the API', async (context) => {
  const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
  const origin = await startServer(context, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      response.writeHead(201, { 'x-restli-id': 'urn:li:ugcPost:71' }).end();
    });
  });
  const client = openClient(row, origin, { credentials });
  const prepared = await client.prepare?.(buildPayload());
  assert.ok(prepared?.kind === 'done');
  assert.deepEqual(await client.create(prepared.value), {
    kind: 'done',
    value: { remoteId: 'urn:li:ugcPost:71', url: `${origin}/linkedin/feed/update/urn:li:ugcPost:71/`, changedAt: null },
  });
  // After storage in the database, where keys have no order, the repeat is identical to the byte.
  const stored = reverseKeys(prepared.value);
  assert.notEqual(JSON.stringify(stored), JSON.stringify(prepared.value));
  await client.create(stored);
  const [first, second] = seen;
  assert.equal(first?.body, second?.body);
  assert.equal(first?.headers['linkedin-version'], API_VERSION);
  assert.equal(first?.headers['x-restli-protocol-version'], '2.0.0');
  assert.equal(seen.length, 2);
});

test('a post is withdrawn by its URN, which is encoded in the address', async (context) => {
  const requests: (string | undefined)[] = [];
  const origin = await startServer(context, ({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(204).end();
  });
  await openClient(row, origin, { credentials }).withdraw('urn:li:share:71');
  assert.deepEqual(requests, ['DELETE /linkedin/rest/posts/urn%3Ali%3Ashare%3A71']);
});

test('a text with every reserved character is not cut off', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  const excerpt = 'C:\\dir | {x} @ann [a](b) <i> #1 *b* _c_ ~d~ https://x.io/a_b#c. The end.';
  const post = await client.create(buildPayload({ excerpt, tags: ['last'] }));
  assert.ok(post.kind === 'done');
  const page = await (await fetch(post.value.url)).text();
  assert.ok(page.includes(`${excerpt.replace('<i>', '&lt;i&gt;')}\n\n#last`), page);
  // The same text without escapes: LinkedIn accepts it and shows half of it.
  const raw = await client.create({ ...buildPayload(), commentary: excerpt });
  assert.ok(raw.kind === 'done');
  assert.ok(!(await (await fetch(raw.value.url)).text()).includes('The end.'));
});

test('the refusal of a duplicate returns the post that it names; without a name it is a refusal', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  const payload = buildPayload();
  const post = await client.create(payload);
  assert.ok(post.kind === 'done');
  assert.deepEqual(await client.create(payload), { kind: 'done', value: { ...post.value, isDuplicate: true } });
  assert.equal((await sandbox.log()).length, 1);
  const duplicate = { errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST', description: 'Duplicate.' }] } };
  for (const [body, expected] of [
    [{ ...duplicate, message: 'Content is a duplicate of urn:li:ugcPost:7141138937766391808', status: 422 }, 'done'],
    [{ message: 'Content is a duplicate of urn:li:share:71', status: 422 }, 'done'],
    [{ ...duplicate, message: 'Content is a duplicate', status: 422 }, 'duplicate_post'],
    [{ ...duplicate, message: 'Content is a duplicate of urn:li:member:1', status: 422 }, 'duplicate_post'],
    [{ message: 'See urn:li:share:71', status: 422 }, 'invalid'],
  ] as const) {
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 422, body }]);
    const outcome = await client.create(buildPayload());
    assert.equal(outcome.kind === 'rejected' ? outcome.code : outcome.kind, expected, JSON.stringify(body));
  }
});

test('a deleted post is not public, and the refusal of a duplicate may still name it', async (context) => {
  const sandbox = await startSandbox(context, { linkedinDeletedDuplicateMs: 60_000 });
  const client = openClient(row, sandbox.url, { credentials });
  const payload = buildPayload();
  const post = await client.create(payload);
  assert.ok(post.kind === 'done');
  assert.deepEqual(await client.withdraw(post.value.remoteId), { kind: 'done', value: null });
  assert.equal((await fetch(post.value.url)).status, 404);
  assert.deepEqual(await client.create(payload), { kind: 'done', value: { ...post.value, isDuplicate: true } });
  const missing = await client.withdraw('urn:li:share:1');
  assert.ok(missing.kind === 'rejected' && missing.code === 'remote_gone');
});

test('deliveries wait for the operator when a version of the API has ended', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials: { ...credentials, apiVersion: '202501' } });
  for (const outcome of [await client.create(buildPayload()), await client.withdraw('urn:li:share:1')]) {
    assert.ok(outcome.kind === 'unavailable' && (outcome.retryAfterMs ?? 0) >= 60_000, JSON.stringify(outcome));
    assert.match(outcome.reason, /202501.*operator/);
  }
  for (const apiVersion of ['202607', 'latest\r\nx: y', '']) {
    const other = openClient(row, sandbox.url, { credentials: { ...credentials, apiVersion } });
    assert.equal((await other.create(buildPayload())).kind, 'done', apiVersion);
  }
});

test('a page posts under its own name, and is identified by its number', async (context) => {
  const sandbox = await startSandbox(context);
  const open = (organizationId: string) => {
    const authorUrn = `urn:li:organization:${organizationId}`;
    return openClient(row, sandbox.url, { credentials: { ...credentials, organizationId, authorUrn } });
  };
  const urn = `urn:li:organization:${DEMO_LINKEDIN_ORGANIZATION}`;
  const page = open(DEMO_LINKEDIN_ORGANIZATION);
  const name = `LinkedIn page ${DEMO_LINKEDIN_ORGANIZATION}`;
  assert.deepEqual(await page.probe(), { kind: 'done', value: { account: urn, name, settings: { authorUrn: urn } } });
  const prepared = await page.prepare?.(buildPayload());
  assert.ok(prepared?.kind === 'done');
  assert.equal((await page.create(prepared.value)).kind, 'done');
  assert.equal((await sandbox.log()).at(-1)?.account, urn);
  const foreign = await open('99').create(buildPayload());
  assert.ok(foreign.kind === 'rejected' && foreign.code === 'forbidden', JSON.stringify(foreign));
  for (const name of ['my-page', '1/../2']) {
    const outcome = await open(name).probe();
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'organization_invalid', JSON.stringify(outcome));
  }
});

test('each of LinkedIn’s own errors has a specific outcome', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  for (const [status, kind, expected] of [
    [400, 'rejected', 'invalid'],
    [401, 'unauthorised', undefined],
    [403, 'rejected', 'forbidden'],
    [404, 'rejected', 'not_found'],
    [422, 'rejected', 'invalid'],
    [429, 'rateLimited', undefined],
    [500, 'unknown', undefined],
    [504, 'unknown', undefined],
  ] as const) {
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status }]);
    const outcome = await client.create(buildPayload());
    assert.equal(outcome.kind, kind, String(status));
    if (outcome.kind === 'rejected') assert.equal(outcome.code, expected);
    if (status === 403) assert.match((outcome as { reason: string }).reason, /w_member_social/);
  }
});

test('a response without the URN of a post leaves the outcome unknown', async (context) => {
  for (const id of [undefined, 'urn:li:person:1', '../../x', 'urn:li:share:1/../2']) {
    const headers = id === undefined ? {} : { 'x-restli-id': id };
    const origin = await startServer(context, (_request, response) => response.writeHead(201, headers).end());
    assert.equal((await openClient(row, origin, { credentials }).create(buildPayload())).kind, 'unknown', id);
  }
});

test('find and update are refused with a reason for the author, and nothing is sent', async () => {
  const client = openClient(row, await closedOrigin(), { credentials });
  const find = await client.find(makeArticle());
  const update = await client.update('urn:li:share:1', buildPayload());
  assert.ok(find.kind === 'rejected' && find.code === 'cannot_find');
  assert.ok(update.kind === 'rejected' && update.code === 'cannot_update');
  const nobody = await openClient(row, await closedOrigin(), row.entered).create(buildPayload());
  assert.ok(nobody.kind === 'rejected' && nobody.code === 'account_unknown');
});

/** The same value with the keys of every object in reverse order. */
function reverseKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}

test('the wait for LinkedIn’s daily quota ends with the day in UTC; a short throttle has no known end', async (context) => {
  const sandbox = await startSandbox(context);
  const now = () => new Date('2026-11-21T22:15:00Z');
  const client = openClient(row, sandbox.url, { credentials, now });
  const untilMidnightMs = 105 * 60_000;
  for (const [message, expected] of [
    ['Resource level throttle MEMBER DAY limit for calls to this resource is reached.', untilMidnightMs],
    ['Resource level throttle APPLICATION DAY limit for calls to this resource is reached.', untilMidnightMs],
    ['Application level throttle: the daily request limit is reached', untilMidnightMs],
    ['Too many requests: throttled', null],
  ] as const) {
    const body = { message, status: 429, serviceErrorCode: 101 };
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status: 429, body }]);
    const outcome = await client.create(buildPayload());
    assert.ok(outcome.kind === 'rateLimited', JSON.stringify(outcome));
    if (expected === null) assert.equal(outcome.retryAfterMs, null);
    // Clocks differ, so the wait ends shortly after midnight, and never before.
    else
      assert.ok((outcome.retryAfterMs ?? 0) >= expected && (outcome.retryAfterMs ?? 0) <= expected + 120_000, message);
  }
});
