/**
 * Measures 600 deliveries at one account that accepts ten posts in 30 seconds, without pacing:
 * processor time and activities per post. Then the delay of one delivery beside 300 to a site that
 * never responds. Variables: `CROWD`, `HANGING`, `CROWD_SECONDS`. Asserts nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { connectDestination } from '../store/connections/connect.ts';
import { openDatabase } from '../store/db/database.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { buildDeliveryWorkflowId } from '../temporal/names.ts';
import { waitUntil } from './measure.ts';
import { createAuthor, startBenchServices } from './publish/services.ts';
import { startSandbox } from './sandbox.ts';

const CROWD = Number(process.env.CROWD ?? 600);
const HANGING = Number(process.env.HANGING ?? 300);
const WATCHED_MS = Number(process.env.CROWD_SECONDS ?? 120) * 1_000;

const services = await startBenchServices({ env: { DELIVERY_PACING: 'off', ALLOW_PRIVATE_DESTINATIONS: 'on' } });
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const connection = await Connection.connect({ address: services.temporalAddress });
const client = new Client({ connection });
try {
  const sandboxUrl = await startSandbox(services, { rateLimits: 'on' });
  await measureCrowd(sandboxUrl);
  await measureHanging(sandboxUrl);
} finally {
  await db.destroy();
  await connection.close();
  await services.stop();
}

/**
 * The deliveries are held because of a rejected key. Reconnecting the destination starts all of
 * them at once.
 */
async function measureCrowd(sandboxUrl: string): Promise<void> {
  const author = await createAuthor(db, 'crowd');
  const connectForem = () =>
    connectTo(author.id, 'blogsite_a', 'forem', `${sandboxUrl}/forem/api`, { apiKey: 'sandbox-forem-key' });
  await connectForem();
  await refuseKey(author.id);
  const ids = await publishAll(author.token, CROWD, 'crowd', { blogsite_a: true, blogsite_b: false });
  await waitUntilHeld(ids);
  const before = services.cpuSeconds();
  const begun = performance.now();
  await connectForem();
  await sleep(WATCHED_MS);
  const after = services.cpuSeconds();
  const tookS = (performance.now() - begun) / 1_000;
  const sent = await countDelivered(ids);
  const activities = await countActivities(ids);
  const worker = after.worker - before.worker;
  const temporal = after.temporal - before.temporal;
  console.log(`${CROWD} at one account that answers 429, watched for ${tookS.toFixed(0)} s: ${sent} sent`);
  console.log(`  worker   ${worker.toFixed(1)} s CPU, ${percent(worker / tookS)} of a core, ${perPost(worker, sent)}`);
  console.log(
    `  Temporal ${temporal.toFixed(1)} s CPU, ${percent(temporal / tookS)} of a core, ${perPost(temporal, sent)}`,
  );
  console.log(`  activities: ${activities} in all`);
  await db.deleteFrom('connections').where('userId', '=', author.id).execute();
}

async function measureHanging(sandboxUrl: string): Promise<void> {
  const crowd = await createAuthor(db, 'hanging');
  const other = await createAuthor(db, 'other');
  await connectTo(other.id, 'blogsite_b', 'hashnode', `${sandboxUrl}/hashnode`, {
    token: 'sandbox-hashnode-token',
    publicationId: '665f1f77bcf86cd799439011',
  });
  await fetch(`${sandboxUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ platform: 'cms_site', action: 'any', times: 100_000, delayMs: 600_000 }]),
  });
  const credentials = { username: 'demo', applicationPassword: 'sandbox app pass word' };
  const connectSite = () =>
    connectTo(crowd.id, 'cms_site', 'wordpress', `${sandboxUrl}/wordpress/wp-json`, credentials);
  await connectSite();
  await refuseKey(crowd.id);
  const flags = { cms_site: true, blogsite_a: false, blogsite_b: false };
  await waitUntilHeld(await publishAll(crowd.token, HANGING, 'hanging', flags));
  await connectSite();
  await sleep(1_000);
  for (const when of ['1 s after', '20 s after']) {
    const begun = performance.now();
    const [id = ''] = await publishAll(other.token, 1, `other ${when}`, { blogsite_a: false, blogsite_b: true });
    await waitUntil('the other delivery', async () => (await countDelivered([id])) === 1, { everyMs: 20 });
    console.log(
      `${HANGING} at a site that hangs; another author’s delivery that began ${when}: ${seconds(performance.now() - begun)}`,
    );
    await sleep(19_000);
  }
}

async function refuseKey(userId: string): Promise<void> {
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', userId).execute();
}

async function waitUntilHeld(ids: string[]): Promise<void> {
  const held = db
    .selectFrom('deliveryStates')
    .select('deliveryId')
    .where('articleId', 'in', ids)
    .where('state', '=', 'held');
  await waitUntil('all to be held', async () => (await held.execute()).length === ids.length, { everyMs: 500 });
}

async function connectTo(
  userId: string,
  destination: 'blogsite_a' | 'blogsite_b' | 'cms_site',
  platform: string,
  baseUrl: string,
  credentials: Record<string, string>,
): Promise<void> {
  const sealer = await loadSealer({ home: services.home, key: undefined });
  await connectDestination(db, sealer, {
    userId,
    destination,
    platform,
    baseUrl,
    credentials,
    account: { identity: userId, name: null },
  });
}

async function publishAll(
  token: string,
  count: number,
  name: string,
  crossPost: Record<string, boolean>,
): Promise<string[]> {
  const ids: string[] = [];
  const titles = Array.from({ length: count }, (_, index) => `${name} ${index}`);
  const publishNext = async () => {
    for (let title = titles.pop(); title !== undefined; title = titles.pop()) {
      const flags = Object.entries(crossPost).map(([key, value]) => `  ${key}: ${value}\n`);
      const content = `---\ntitle: ${JSON.stringify(title)}\ncross_post:\n${flags.join('')}---\n\nA paragraph about ${title}.\n`;
      const answer = await publish(token, content);
      ids.push(((await answer.json()) as { data: { id: string } }).data.id);
    }
  };
  await Promise.all(Array.from({ length: 3 }, publishNext));
  return ids;
}

/** Publishes again after a failure, because rendering may time out on a busy machine. */
async function publish(token: string, content: string): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${services.apiUrl}/api/v1/articles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    });
    if (answer.status === 201) return answer;
    if (attempt === 5) throw new Error(`publish answered ${answer.status}: ${await answer.text()}`);
    await sleep(1_000);
  }
}

async function countDelivered(ids: string[]): Promise<number> {
  const rows = db
    .selectFrom('deliveryStates')
    .select('deliveryId')
    .where('articleId', 'in', ids)
    .where('state', '=', 'delivered');
  return (await rows.execute()).length;
}

async function countActivities(ids: string[]): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const { events } = await client.workflow.getHandle(buildDeliveryWorkflowId(id, 'blogsite_a')).fetchHistory();
    count += (events ?? []).filter(
      (event) => event.activityTaskScheduledEventAttributes ?? event.markerRecordedEventAttributes,
    ).length;
  }
  return count;
}

function perPost(cpuSeconds: number, sent: number): string {
  return `${((cpuSeconds / sent) * 1_000).toFixed(0)} ms a post`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
