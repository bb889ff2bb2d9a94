import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createFrontDoor } from '../../../api/answers/front-door.ts';
import { createKeptAnswers } from '../../../api/answers/kept-answers.ts';
import { Sendable } from '../../../api/answers/sendable.ts';

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
  for (const [name, value] of Object.entries(sendable.getForm('identity')?.headers ?? {})) {
    assert.equal(answer.headers.get(name), value, name);
  }
  for (const [path, init] of [['/a', { method: 'POST' }], ['/a?x'], ['/a/'], ['/%61']] as const) {
    assert.equal(await (await fetch(`${url}${path}`, init)).text(), 'handed on', path);
  }
});
