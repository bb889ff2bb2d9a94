/**
 * Hostile texts and addresses in every input: parameters, queries and form fields of every route,
 * and arguments of every GraphQL field. Expects no server error, no injected header, no injected
 * markup and no outgoing call. The inputs are read from the app.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setPassword } from '../../../store/users/passwords.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { hashCheaply } from '../../support/api/passwords.ts';
import { fillRoute, listRoutes, type Route } from '../../support/api/routes.ts';
import { readShared, sharedPath } from '../../support/shared-data.ts';
import { listRootFields } from '../graphql/support/deepest-query.ts';
import { writeFilledCall } from '../graphql/support/filled-call.ts';

const MARK = `<xq7">'`;
const OWN = [
  `${MARK}<script>alert(1)</script>`,
  `a\r\nX-Injected: yes\r\n\r\n${MARK}`,
  `a\0${MARK}`,
  '\ud800',
  '\u202e\u2066\u001b[31m\u009b',
  `../../../etc/passwd${MARK}`,
  "' or 1=1 --",
  '%25%0d%0a%',
  '__proto__',
  'constructor',
  '9223372036854775808',
  '-1e400',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(2_000),
];
const texts = [...OWN, ...readHostile()];

let api: TestApi;
let canary: { url: string; calls: string[]; close: () => void };
before(async () => {
  canary = await startCanary();
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  await setPassword(api.db, api.author.id, await hashCheaply('a long and lovely one'));
  await api.publish({ content: markdown({ title: 'Hostile readers', slug: 'known' }) });
});
after(async () => {
  await api.close();
  canary.close();
});

/** Rotates through the texts, so that all inputs together receive all of them. */
let index = 0;
function* take(count: number): Generator<string> {
  yield `${MARK}<script>alert(1)</script>`;
  yield canary.url;
  for (let n = 0; n < count; n++) yield texts[index++ % texts.length] ?? '';
}

test('hostile texts in path, query and form cause no server error at any route (A61)', async () => {
  const fields = listFieldNames();
  assert.ok(fields.length > 40, fields.join());
  for (const route of listRoutes(api).filter(({ method }) => method === 'GET' || method === 'POST')) {
    const isProgram = /^\/(?:api|graphql|mcp|notifications)/.test(route.pattern);
    const session = await api.sessions.issue(isProgram ? 'courant:session' : 'courant:cookie', api.author.id);
    const token = route.pattern === '/api/v1/articles' ? api.author.token : session;
    const known = isProgram ? { authorization: `Bearer ${token}` } : { cookie: `courant_session=${session}` };
    await Promise.all(Array.from(take(2), (text) => sendEverywhere(route, { fields, text, isProgram, known })));
  }
  assert.deepEqual(canary.calls, []);
});

interface Sent {
  fields: string[];
  text: string;
  /** The route accepts JSON instead of forms. */
  isProgram: boolean;
  known: Record<string, string>;
}

async function sendEverywhere(route: Route, { fields, text, isProgram, known }: Sent): Promise<void> {
  const all = fields.map((name): [string, string] => [name, text]);
  const body = isProgram ? JSON.stringify(Object.fromEntries(all)) : new URLSearchParams(all).toString();
  const type = isProgram ? 'application/json' : 'application/x-www-form-urlencoded';
  // Shortened, so that all values fit into the headers.
  const query = new URLSearchParams(all.map(([name, value]) => [name, value.slice(0, 60)])).toString();
  const address = fillRoute(route, () => text.toWellFormed());
  const headers = { accept: 'text/html, */*', 'sec-fetch-site': 'same-origin', 'content-type': type, ...known };
  const response = await fetch(`${api.url}${address}${route.method === 'GET' ? `?${query}` : ''}`, {
    method: route.method,
    redirect: 'manual',
    headers,
    ...(route.method === 'POST' ? { body } : {}),
  });
  const label = `${route.method} ${route.pattern} with ${JSON.stringify(text.slice(0, 100))}: ${response.status}`;
  assert.ok(response.status < 500, label);
  assert.equal(response.headers.get('x-injected'), null, label);
  if (!/html|xml|css/.test(response.headers.get('content-type') ?? '')) await response.body?.cancel();
  else assert.ok(!(await response.text()).includes(MARK), label);
}

test('hostile texts cause no server error in any argument of any GraphQL field (A61)', async () => {
  for (const root of ['Query', 'Mutation'] as const) {
    const authorization = `Bearer ${await api.sessions.issue('courant:session', api.author.id)}`;
    for (const field of listRootFields(root)) {
      const { name, args } = field;
      // These fields end the session, or have no arguments.
      if (args.length === 0 || name === 'deleteAccount') continue;
      await Promise.all(
        Array.from(take(2), async (text) => {
          const headers = { 'content-type': 'application/json', authorization };
          const sent = { method: 'POST', headers, body: JSON.stringify(writeFilledCall(root, field, text)) };
          const response = await fetch(`${api.url}/graphql`, sent);
          const answer = await response.text();
          const label = `${name} with ${JSON.stringify(text.slice(0, 100))}: ${response.status} ${answer.slice(0, 300)}`;
          assert.ok(response.status < 500, label);
          assert.doesNotMatch(answer, /INTERNAL_SERVER_ERROR|DATABASE_UNAVAILABLE/, label);
        }),
      );
    }
  }
  assert.deepEqual(canary.calls, []);
});

test('prototype keys at any depth change no prototype, and of duplicate keys the last one counts (A5)', async () => {
  const evil = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
  const content = JSON.stringify('# Polluted\n\nText.');
  for (const body of [
    `{"content":${content},"crossPost":${evil}}`,
    `{"content":${content},"x":{"y":${evil}}}`,
    `{"content":"# First","content":${content},"constructor":{"prototype":{"isAdmin":true}}}`,
  ]) {
    const { status } = await api.publish(body);
    assert.ok(status < 500, `${status}: ${body}`);
  }
  const deep = await api.publish(`{"content":${content},"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`);
  assert.ok(deep.status < 500, `${deep.status} for a million levels`);
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
  assert.equal((await fetch(`${api.url}/health/live`)).status, 200);
});

/** Reads the field names from the source, so that a new field is tested at once. */
function listFieldNames(): string[] {
  const root = new URL('../../../', import.meta.url);
  const names = new Set<string>();
  for (const file of globSync('api/**/*.ts', { cwd: root })) {
    const text = readFileSync(new URL(file, root), 'utf8');
    for (const [, read, queried, shown] of text.matchAll(/readField\(\w+, '(\w+)'\)|\bquery\.(\w+)|\bname="([\w-]+)"/g))
      names.add(read ?? queried ?? shown ?? '');
  }
  return [...names];
}

/** The lists of the shared test data, if they are available. */
function readHostile(): string[] {
  if (sharedPath('hostile').skip) return [];
  const lines = ['crlf', 'ssrf'].flatMap((name) => readShared(`hostile/${name}.txt`).split('\n'));
  const fixtures = JSON.parse(readShared('hostile/dompurify-fixtures.json')) as { payload: string }[];
  return [...lines.filter(Boolean), ...fixtures.map(({ payload }) => payload.slice(0, 2_000))];
}

/** A server on this machine that must not be called. */
async function startCanary() {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/canary`;
  return { url, calls, close: () => server.close() };
}
