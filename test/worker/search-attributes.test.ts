/** A worker registers the missing search attributes, also where it is not allowed to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '@temporalio/client';
import { pino } from 'pino';
import { listMissingAttributes, registerSearchAttributes } from '../../temporal/visibility/search-attributes.ts';
import { connectWithRetries } from '../../worker/connect-temporal.ts';
import { readTemporalAddress } from '../support/environment.ts';

const NAMES = ['CourantAuthor', 'CourantSlug', 'CourantDestination', 'CourantOutcome'];

/** A connection to a server that has these attributes, and the attributes that are added. */
function createConnection(existing: string[]) {
  const added: unknown[] = [];
  const operatorService = {
    listSearchAttributes: async ({ namespace }: { namespace: string }) => {
      assert.equal(namespace, 'mine');
      return { customAttributes: Object.fromEntries(existing.map((name) => [name, 2])) };
    },
    addSearchAttributes: async (request: object) => void added.push(request),
  };
  return { connection: { operatorService } as unknown as Connection, added };
}

test('only missing attributes are added, as keywords', async () => {
  const { connection, added } = createConnection(['CourantSlug', 'Other']);
  const missing = ['CourantAuthor', 'CourantDestination', 'CourantOutcome'];
  assert.deepEqual(await listMissingAttributes(connection, 'mine'), missing);
  assert.deepEqual(await registerSearchAttributes(connection, 'mine'), missing);
  const searchAttributes = { CourantAuthor: 2, CourantDestination: 2, CourantOutcome: 2 };
  assert.deepEqual(added, [{ namespace: 'mine', searchAttributes }]);
  const complete = createConnection(NAMES);
  assert.deepEqual(await registerSearchAttributes(complete.connection, 'mine'), []);
  assert.deepEqual(complete.added, []);
});

test('a server that forbids the registration only causes a warning; another error is retried', async (t) => {
  const connect = Connection.connect.bind(Connection);
  const codes = [13, 7, 12];
  t.mock.method(Connection, 'connect', async (options: object) => {
    const connection = await connect(options);
    const error = Object.assign(new Error('not allowed'), { code: codes.shift() });
    t.mock.method(connection.operatorService, 'listSearchAttributes', () => Promise.reject(error));
    return connection;
  });
  const lines: { msg: string; reason: string; waitMs?: number }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const config = { connectionOptions: { address: readTemporalAddress() }, namespace: 'default' };
  for (const _ of ['permission denied', 'unimplemented']) {
    const { connection, native } = await connectWithRetries(config, log, async () => undefined);
    await Promise.all([connection.close(), native.close()]);
  }
  const forbidden = `Temporal does not let the worker register search attributes: create ${NAMES.join(', ')} as Keyword`;
  assert.deepEqual(
    lines.map(({ msg, waitMs }) => [msg, waitMs]),
    [
      ['Temporal is unavailable; retrying', 500],
      [forbidden, undefined],
      [forbidden, undefined],
    ],
  );
  assert.equal(lines[1]?.reason, 'not allowed');
});
