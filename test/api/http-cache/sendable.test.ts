import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { matchVersion } from '../../../api/http-cache/preconditions.ts';
import { createFrontDoor } from '../../../api/http-cache/fast-path.ts';
import { createKeptAnswers } from '../../../api/http-cache/cached-responses.ts';
import { Sendable } from '../../../api/http-cache/cached-response.ts';

const ANSWER = {
  status: 200,
  type: 'text/plain',
  body: 'Text.',
  lastModified: new Date(),
  shows: ['articles'],
} as const;

test('a header that HTTP cannot bear fails where the answer is made, and not at the front door, where it would end the process', () => {
  for (const value of ['a\r\nset-cookie: b', 'An 🐈', 'nul\0']) {
    assert.throws(() => new Sendable({ ...ANSWER, headers: { link: value } }), /link/, JSON.stringify(value));
    assert.throws(() => new Sendable({ ...ANSWER, type: value }), /content-type/);
    assert.throws(() => new Sendable({ status: 301, location: value, shows: [] }), /location/);
  }
});

test('the front door sends what is kept with all headers of the answer, and hands on what it does not have', async (t) => {
  const kept = createKeptAnswers({ maxBytes: 1_000_000 });
  kept.audience.onListening();
  kept.audience.onHeard(performance.now() + 60_000);
  const sendable = new Sendable({ ...ANSWER, headers: { 'content-signal': 'ai-train=no' } });
  const making = kept.begin('/a');
  making.keep(sendable);
  making.end();
  await sendable.makeForm('identity');
  const timeouts = { keepAliveTimeout: 1_000, requestTimeout: 1_000 };
  const handle = (_: unknown, response: { end(text: string): void }) => response.end('handed on');
  const options = { http: {} } as Parameters<ReturnType<typeof createFrontDoor>['serverFactory']>[1];
  const server = createFrontDoor(kept, timeouts).serverFactory(handle as never, options) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await fetch(`${url}/a`);
  assert.equal(await answer.text(), 'Text.');
  for (const [name, value] of Object.entries(sendable.getForm('identity')?.head.headers ?? {})) {
    assert.equal(answer.headers.get(name), value, name);
  }
  for (const [path, init] of [['/a', { method: 'POST' }], ['/a?x'], ['/a/'], ['/%61']] as const) {
    assert.equal(await (await fetch(`${url}${path}`, init)).text(), 'handed on', path);
  }
});

test('an ETag stands for the headers too: who has it is sent none again but those that caches need', async () => {
  const lastModified = new Date('2026-01-02T03:04:05.678Z');
  const make = (headers: Record<string, string>) =>
    new Sendable({ ...ANSWER, lastModified, headers: { vary: 'accept', ...headers } }).makeForm('identity');
  const [form, other] = [await make({ link: '<a>' }), await make({ link: '<b>' })];
  assert.notEqual(form.validators?.etag, other.validators?.etag);
  assert.deepEqual(Object.keys(form.notModified.tag.headers).sort(), [
    'cache-control',
    'etag',
    'last-modified',
    'vary',
  ]);
  // A date says nothing of the headers, and browsers take over those of a 304.
  const { date } = form.notModified;
  assert.equal(date.headers.link, '<a>');
  for (const [name, value] of Object.entries(date.headers)) assert.equal(form.head.headers[name], value, name);
});

test('two changes within one second are two to who has only a date: it is sent once it names no version but the last', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-02T03:04:05.300Z') });
  const sendable = new Sendable({ ...ANSWER, lastModified: new Date() });
  const isSame = (since: string) => {
    const { validators } = sendable.getForm('identity') ?? {};
    return validators && matchVersion({ 'if-modified-since': since }, validators) !== null;
  };
  const early = await sendable.makeForm('identity');
  assert.equal(early.head.headers['last-modified'], undefined);
  assert.ok(early.head.headers.etag);
  // A client may take the `Date` of what it has; there may be another change until that second is over.
  const sameSecond = 'Fri, 02 Jan 2026 03:04:05 GMT';
  assert.equal(isSame(sameSecond), false);
  t.mock.timers.setTime(Date.parse('2026-01-02T03:04:06.000Z'));
  const later = sendable.getForm('identity');
  const dated = later?.head.headers['last-modified'] ?? '';
  assert.equal(dated, 'Fri, 02 Jan 2026 03:04:06 GMT');
  assert.ok(later?.head.list.includes(dated) && later.notModified.tag.list.includes(dated));
  assert.deepEqual([isSame(dated), isSame(sameSecond)], [true, false]);
  assert.equal(later?.body, early.body);
});

test('each coding of a body has a tag of its own', async () => {
  const body = 'Text. '.repeat(1_000);
  const answer = { status: 200, type: 'text/plain', body, lastModified: new Date(0), shows: ['articles'] } as const;
  const sendable = new Sendable(answer);
  const codings = ['identity', 'br', 'gzip', 'zstd'] as const;
  const forms = await Promise.all(codings.map((coding) => sendable.makeForm(coding)));
  assert.equal(new Set(forms.map(({ validators }) => validators?.etag)).size, codings.length);
});
