/**
 * Snapshots of how each client interprets each response: tables of platform × body × status ×
 * intent in `interpretations/`, and the messages for the author. A changed table is changed
 * behaviour. `node --test --test-update-snapshots` rewrites the tables.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { DestinationClient, Outcome } from '../../destinations/types.ts';
import { closedOrigin, makeArticle, openClient, startServer } from './destination-harness.ts';
import { type Body, COMMON_BODIES, OWN_BODIES, POST_BEFORE_CHANGE, STATUSES } from './interpretations/cases.ts';
import { ROWS } from './rows/index.ts';
import type { Row } from './rows/types.ts';

/** The sentences for the author in the outcomes of one platform. */
const messages = new Set<string>();

/** The settings that a probe adds to the credentials, so that a create is one request. */
const SETTINGS = { userId: 'a1', authorUrn: 'urn:li:person:a1' };

const OPERATIONS = ['create', 'update', 'withdraw', 'probe', 'find'] as const;
type Operation = (typeof OPERATIONS)[number];

interface Reply {
  status: number;
  body: Body;
  location?: string;
}

for (const row of ROWS) {
  const { label, platform } = row.destination;

  test(`${label} interprets each response as recorded`, async (context) => {
    let operation: Operation = 'create';
    let reply: Reply = { status: 200, body: { text: '' } };
    const origin = await startServer(context, async (request, response) => {
      const before = operation === 'update' || operation === 'withdraw' ? POST_BEFORE_CHANGE[platform] : undefined;
      const isRead = request.method === 'GET' || (await text(request)).includes('"query":"query ');
      const { status, body, location } = before && isRead ? { status: 200, body: before, location: undefined } : reply;
      response.writeHead(status, { ...body.headers, ...(location === undefined ? {} : { location }) }).end(body.text);
    });
    const client = openClient(row, origin, { credentials: { ...SETTINGS, ...row.credentials } });
    const lines: string[] = [];
    messages.clear();
    for (const [name, body] of Object.entries({ ...COMMON_BODIES, ...OWN_BODIES[platform] })) {
      const meanings = new Map<string, number[]>();
      for (const status of STATUSES) {
        reply = { status, body };
        const meaning = await describeAll(client, row, (next) => {
          operation = next;
        });
        meanings.set(meaning, [...(meanings.get(meaning) ?? []), status]);
      }
      lines.push(name, ...[...meanings].map(([meaning, statuses]) => `  ${statuses.join(' ')}: ${meaning}`));
    }
    for (const location of ['https://elsewhere.example/ghost/api/admin/', '/login', 'not:an:address']) {
      reply = { status: 308, body: { text: '' }, location };
      lines.push(`308 to ${location}: ${await describeAll(client, row, () => undefined)}`);
    }
    lines.push(...(await describeNoResponse(context, row)), 'Messages', ...[...messages].sort());
    context.assert.fileSnapshot(lines.join('\n'), join(import.meta.dirname, 'interpretations', `${platform}.txt`), {
      serializers: [(text: string) => `${text}\n`],
    });
  });
}

/** The outcomes of calls without a response. */
async function describeNoResponse(context: TestContext, row: Row): Promise<string[]> {
  const cutting = await startServer(context, (request) => void request.socket.destroy());
  const credentials = { ...SETTINGS, ...row.credentials };
  const damaged = Object.fromEntries(Object.keys(row.credentials).map((name) => [name, 'two\nlines']));
  const clients = {
    'nobody listens': openClient(row, await closedOrigin(), { credentials }),
    'cut off': openClient(row, cutting, { credentials }),
    'damaged credential': openClient(row, cutting, { credentials: { ...credentials, ...damaged } }),
    'already cancelled': openClient(row, cutting, { credentials, signal: AbortSignal.abort() }),
    'forbidden address': row.destination.createClient({
      connection: { baseUrl: `http://127.0.0.1:9${row.path}`, credentials },
      timeoutMs: 1000,
      now: () => new Date(),
    }),
  };
  const lines: string[] = [];
  for (const [name, client] of Object.entries(clients)) {
    lines.push(`${name}: ${await describeAll(client, row, () => undefined)}`);
  }
  return lines;
}

/** One phrase for all operations of the platform. Operations with the same outcome are grouped. */
async function describeAll(
  client: DestinationClient<unknown>,
  row: Row,
  announce: (operation: Operation) => void,
): Promise<string> {
  const endings = new Map<string, string[]>();
  for (const operation of listOperations(row)) {
    announce(operation);
    const ending = describe(await run(client, row, operation));
    endings.set(ending, [...(endings.get(ending) ?? []), operation]);
  }
  return [...endings].map(([ending, operations]) => `${operations.join('/')} ${ending}`).join(', ');
}

/** Excludes operations that the platform does not support. */
function listOperations({ destination: { limits } }: Row): Operation[] {
  const missing: Operation[] = [
    ...(limits.canUpdate ? [] : ['update' as const]),
    ...(limits.withdraw === 'none' ? ['withdraw' as const] : []),
    ...(limits.canFind ? [] : ['find' as const]),
  ];
  return OPERATIONS.filter((operation) => !missing.includes(operation));
}

/** Formats the article of each platform once. */
const ARTICLES = new Map(
  ROWS.map((row) => {
    const article = makeArticle({ ...row.article, slug: 'a', canonicalUrl: 'https://blog.example.com/original' });
    return [row, { article, payload: row.destination.format(article).payload }];
  }),
);

function run(client: DestinationClient<unknown>, row: Row, operation: Operation): Promise<Outcome<unknown>> {
  const { article, payload } = ARTICLES.get(row) ?? assert.fail('a row without an article');
  const id = row.destination.platform === 'wordpress' ? '1' : row.missingId;
  switch (operation) {
    case 'create':
      return client.create(payload);
    case 'update':
      return client.update(id, payload);
    case 'withdraw':
      return client.withdraw(id);
    case 'probe':
      return client.probe();
    case 'find':
      return client.find(article);
  }
}

function describe(outcome: Outcome<unknown>): string {
  if (outcome.kind === 'done') return 'done';
  assert.ok(outcome.reason.length > 0 && outcome.reason.length <= 300);
  const message = outcome.reason.replace(/HTTP \d{3}/, 'HTTP <status>');
  messages.add(`  ${outcome.kind === 'rejected' ? outcome.code : outcome.kind}: ${message}`);
  if (outcome.kind === 'rejected') return `${outcome.code}${outcome.mayBeSaved ? ' (maybe saved)' : ''}`;
  const wait = 'retryAfterMs' in outcome && outcome.retryAfterMs != null ? ` for ${outcome.retryAfterMs} ms` : '';
  return `${outcome.kind}${wait}`;
}
