/**
 * Compares 500 articles to two fast destinations, without pacing, with as many bare one-activity
 * workflows on the same Temporal server in the same run. Prints the ratio; asserts nothing.
 */
import { Client, Connection } from '@temporalio/client';
import { openDatabase } from '../store/db/database.ts';
import { buildDeliveryWorkflowId } from '../temporal/names.ts';
import { startPeers } from './bare/start.ts';
import { printFigure } from './figure.ts';
import { quantile, waitUntil } from './measure.ts';
import { startBenchServices } from './publish/services.ts';
import { connectSandbox, startSandbox } from './sandbox.ts';

const ARTICLES = Number(process.env.BENCH_ARTICLES ?? 500);
const DESTINATIONS = 2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const services = await startBenchServices({ env: { DELIVERY_PACING: 'off', ALLOW_PRIVATE_DESTINATIONS: 'on' } });
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const connection = await Connection.connect({ address: services.temporalAddress });
const client = new Client({ connection });
try {
  await startPeers(services);
  const sandboxUrl = await startSandbox(services, { rateLimits: 'off' });
  await connectSandbox(services, db, { userId: services.userId, sandboxUrl });
  await runAlone('warm-up', 10);
  await runBare(50, 'warm-up');

  console.log(
    `${ARTICLES} articles × ${DESTINATIONS} destinations; bare: ${ARTICLES * DESTINATIONS} one-activity workflows\n`,
  );
  const rates: { bare: number; ours: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await runBare(ARTICLES * DESTINATIONS, `round-${round}`);
    const ours = await runOurs(`round-${round}`);
    rates.push({ bare, ours });
    console.log(
      `  round ${round}: bare ${bare.toFixed(0)}/s, deliveries ${ours.toFixed(0)}/s, ratio ${percent(ours / bare)}\n`,
    );
  }
  const ratios = rates.map(({ bare, ours }) => (ours / bare) * 100);
  const unit = '% of bare one-activity workflows';
  const sum = (which: 'bare' | 'ours') => rates.reduce((all, rate) => all + rate[which], 0);
  // From the totals, because the speed of the machine changes between a round and its peer.
  const value = (sum('ours') / sum('bare')) * 100;
  printFigure({ what: 'deliveries', value, unit, goal: { atLeast: 60 }, spread: ratios });
  await describeHops();
} finally {
  await db.destroy();
  await connection.close();
  await services.stop();
}

/** Returns workflows per second, from the first start to the last completion. */
async function runBare(count: number, round: string): Promise<number> {
  const started = performance.now();
  await inParallel(count, 20, (index) =>
    client.workflow.start('bareWorkflow', { taskQueue: 'bare', workflowId: `bare-${round}-${index}` }),
  );
  const query = `WorkflowId STARTS_WITH "bare-${round}-" AND ExecutionStatus = "Completed"`;
  await waitUntil('the bare workflows', async () => (await client.workflow.count(query)).count >= count);
  return (count / (performance.now() - started)) * 1000;
}

/**
 * Returns deliveries per second, from the first publish to the last event. Prints the time of each
 * from its 201 response.
 */
async function runOurs(round: string): Promise<number> {
  const answeredAt = new Map<string, number>();
  const started = performance.now();
  await inParallel(ARTICLES, 8, async (index) => {
    const id = await publish(`${round} ${index}`);
    answeredAt.set(id, Date.now());
  });
  const published = performance.now();
  await waitUntil('the deliveries', async () => (await countEvents([...answeredAt.keys()])) >= ARTICLES * DESTINATIONS);
  const ended = performance.now();
  const rows = await listEventTimes([...answeredAt.keys()]);
  const waits = rows.map(({ articleId, at }) => at.getTime() - (answeredAt.get(articleId) ?? 0)).sort((a, b) => a - b);
  console.log(
    `  ${round}: published in ${seconds(published - started)}, delivered in ${seconds(ended - started)}; from 201 to event p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms`,
  );
  return ((ARTICLES * DESTINATIONS) / (ended - started)) * 1000;
}

/** Publishes in sequence: the delay of an author who publishes one article on an idle machine. */
async function runAlone(round: string, count: number): Promise<number[]> {
  const waits: number[] = [];
  for (let index = 0; index < count; index++) {
    const id = await publish(`${round} ${index}`);
    const at = Date.now();
    await waitUntil('its events', async () => (await countEvents([id])) === DESTINATIONS, { everyMs: 5 });
    for (const row of await listEventTimes([id])) waits.push(row.at.getTime() - at);
  }
  return waits.sort((a, b) => a - b);
}

async function describeHops(): Promise<void> {
  const waits = await runAlone('alone', 30);
  console.log(`  one at a time, from 201 to event: p50 ${quantile(waits, 0.5)} ms, p95 ${quantile(waits, 0.95)} ms`);
  printFigure({
    what: 'one delivery, 201 to event, p50',
    value: quantile(waits, 0.5),
    unit: 'ms',
    goal: { atMost: 60 },
  });
  const id = await publish('hops');
  await waitUntil('its events', async () => (await countEvents([id])) === DESTINATIONS);
  const workflowId = buildDeliveryWorkflowId(id, 'blogsite_a');
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const events = history.events ?? [];
  const times = events.map(({ eventTime }) => Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6);
  console.log(`\n  ${workflowId}: ${events.length} events`);
  for (const [index, event] of events.entries()) {
    const name = Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '';
    console.log(
      `    +${((times[index] ?? 0) - (times[0] ?? 0)).toFixed(1).padStart(6)} ms  ${name.replace('EventAttributes', '')}`,
    );
  }
}

async function publish(title: string): Promise<string> {
  const content = `---\ntitle: ${JSON.stringify(title)}\ntags: [node, testing]\n---\n\nA paragraph about ${title}.\n\n## More\n\n- one\n- two\n`;
  const answer = await fetch(`${services.apiUrl}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  if (answer.status !== 201) throw new Error(`publish answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

async function countEvents(articleIds: string[]): Promise<number> {
  const { count } = await db
    .selectFrom('deliveryStates')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('articleId', 'in', articleIds)
    .where('state', '=', 'delivered')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A delivery and its event are recorded in one transaction. */
function listEventTimes(articleIds: string[]) {
  return db
    .selectFrom('deliveryAttempts as t')
    .innerJoin('deliveries as d', 'd.id', 't.deliveryId')
    .select(['d.articleId', 't.endedAt as at'])
    .where('d.articleId', 'in', articleIds)
    .where('t.outcome', '=', 'delivered')
    .$narrowType<{ at: Date }>()
    .execute();
}

async function inParallel(count: number, lanes: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)} %`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
