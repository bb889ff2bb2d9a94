/**
 * Publishes on two APIs and two workers for STORM_SECONDS (90). At any time one API and one worker
 * may be killed, stopped or frozen; PostgreSQL and Temporal are killed once. `SEED` repeats the
 * choices but not the exact timing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answers, connectAuthors, write } from './two-of-each/authors.ts';
import { startCluster } from './two-of-each/cluster.ts';
import { checkAll } from './two-of-each/oracle.ts';
import { waitUntilQuiet } from './two-of-each/quiet.ts';
import { storm } from './two-of-each/storm.ts';

const seconds = Number(process.env.STORM_SECONDS || 90);
const seed = Number(process.env.SEED || Date.now() % 1_000_000);

test('after a storm every acknowledged article exists, with one post of its last text at each destination and one event per delivery (F1, F2, F3, F4, F5, F7, F8, F35)', async (t) => {
  console.log(`SEED=${seed}`);
  const cluster = await startCluster();
  t.after(() => cluster.close());
  const authors = await connectAuthors(cluster);
  const answers: Answers = new Map();
  const until = Date.now() + seconds * 1_000;
  const [events] = await Promise.all([
    storm(cluster, { seed, until }),
    ...authors.map((author, number) => write(cluster, author, { seed: seed * 10 + number, until, answers })),
  ]);
  t.diagnostic(`${authors.flatMap(({ articles }) => articles).length} articles; ${JSON.stringify([...answers])}`);
  const stuck = await waitUntilQuiet(cluster).then(
    () => [],
    (error: Error) => [error.message],
  );
  const problems = [...stuck, ...(await checkAll(cluster, authors))];
  assert.deepEqual(problems, [], `SEED=${seed} does this again:\n${events.join('\n')}`);
});
