/** Tests the records of a running worker and a reachable Temporal. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Connection } from '@temporalio/client';
import { startSightings } from '../../worker/sightings.ts';
import { connectToTemporal } from '../support/delivery/connect-temporal.ts';
import { type OpenTestDatabase, openTestDatabase } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const listParts = async () =>
  (await database.db.selectFrom('sightings').select('part').orderBy('id').execute()).map(({ part }) => part);

test('a worker records from its start that it runs and reaches Temporal', async (context) => {
  const connection = await connectToTemporal();
  context.after(() => connection.close());
  const stop = startSightings({ db: database.db, connection, log: { warn: assert.fail } });
  await eventually('both sightings', async () => (await listParts()).length === 2);
  assert.deepEqual(await listParts(), ['worker', 'temporal']);
  const stopping = performance.now();
  await stop();
  assert.ok(performance.now() - stopping < 5_000, 'it does not wait for the next record');
});

test('a worker without Temporal records only that it runs', async (context) => {
  await database.db.deleteFrom('sightings').execute();
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  context.after(() => connection.close());
  const warnings: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };
  const stop = startSightings({ db: database.db, connection, log });
  await eventually('the warning', async () => warnings.length === 1);
  await stop();
  assert.deepEqual(await listParts(), ['worker']);
  const [[details, message] = []] = warnings as [{ reason: string }, string][];
  assert.equal(message, 'could not record that the worker and Temporal are available');
  assert.notEqual(details?.reason ?? '', '');
});
