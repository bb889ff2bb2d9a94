/**
 * `npm run bench:events`: measures 10,000 open event streams (`STREAMS`) at one API: memory per
 * stream, latency at 100 notifications per second, and one event to each user. Compares with a bare
 * `node:http` server, and with Mercure if `MERCURE` and `MERCURE_JWT` are set.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../store/db/database.ts';
import { addNotification, NOTIFICATION_CHANNEL } from '../store/notifications/add.ts';
import type { FromBare, ToBare } from './events/bare.ts';
import { publishToMercure } from './events/mercure.ts';
import { createUsers, issueStreamPaths, type Receipt, startClients } from './events/streams.ts';
import { printFigure } from './figure.ts';
import { median } from './measure.ts';
import { startBenchServices } from './publish/services.ts';

const STREAMS = Number(process.env.STREAMS ?? 10_000);
const PER_SECOND = 100;
const LATENCY_STREAMS = Math.min(STREAMS, 1_000);
const ROUNDS = 3;
/** Streams that are opened and closed before the memory measurement, for both servers. */
const WARM_UP = Math.min(STREAMS, 500);
const BASE_URL = 'http://bench.example';

const PAYLOAD = { platform: 'BLOGSITE_A', postTitle: 'An article', sharedUrl: 'https://blog.example/an-article' };
const DATA = { id: '00000000-0000-4000-8000-000000000000', type: 'CROSS_POST_SUCCESS', ...PAYLOAD };
const FRAME = `event: notification\nid: 1\ndata: ${JSON.stringify({ ...DATA, createdAt: new Date().toISOString() })}\n\n`;

const services = await startBenchServices({
  env: { BASE_URL, STREAMS_PER_USER: '10', STREAMS_PER_ADDRESS: String(STREAMS + 10) },
});
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const clients = await startClients();
try {
  const bare = await measureBare();
  const ours = await measureOurs();
  console.log(
    `memory a stream: ${ours.kb.toFixed(1)} KB, bare ${bare.kb.toFixed(1)} KB: ${(ours.kb / bare.kb).toFixed(2)} ×`,
  );
  const ratio = (part: 'rate') => (median(ours[part]) / median(bare[part])) * 100;
  console.log(
    `one to each at once: ${show(ours.rate)} events/s, bare ${show(bare.rate)}: ${ratio('rate').toFixed(0)} %`,
  );
  const unit = '× bare';
  printFigure({ what: 'memory of an open stream', value: ours.kb / bare.kb, unit, goal: { atMost: 1.5 } });
  const goal = { atLeast: 70 };
  printFigure({ what: 'one event to each stream', value: ratio('rate'), unit: '% of bare', goal });
  console.log(`at ${PER_SECOND}/s, commit to receipt: p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms`);
  console.log(`        bare, write to receipt: p50 ${bare.p50.toFixed(1)} ms, p99 ${bare.p99.toFixed(1)} ms`);
  if (process.env.MERCURE) {
    const mercure = await measureMercure(process.env.MERCURE);
    console.log(`Mercure, one topic each: ${show(mercure)} events/s`);
    const value = median(ours.rate) / median(mercure);
    printFigure({ what: 'one event to each stream, beside Mercure', value, unit: '× its rate', goal: { atLeast: 1 } });
  } else console.log('Mercure: not measured, MERCURE is not set');
} finally {
  clients.process.kill();
  await db.destroy();
  await services.stop();
}

async function measureBare() {
  const bare = fork(new URL('./events/bare.ts', import.meta.url), { env: { ...process.env, FRAME } });
  const [{ port = 0 }] = (await once(bare, 'message')) as [FromBare];
  const before = await warmUp(
    { host: '127.0.0.1', port },
    numbers(WARM_UP).map((stream) => `/?stream=${stream}`),
    () => readResidentKb(bare),
  );
  await clients.open({ host: '127.0.0.1', port, paths: numbers(STREAMS).map((stream) => `/?stream=${stream}`) });
  await sleep(3_000);
  const kb = (readResidentKb(bare) - before) / STREAMS;
  const write = async (message: ToBare) => {
    bare.send(message);
    return ((await once(bare, 'message')) as [FromBare])[0].written ?? [];
  };
  const slow = await clients.during(
    () => LATENCY_STREAMS,
    () => write({ do: 'some', count: LATENCY_STREAMS, perSecond: PER_SECOND }),
  );
  const rate: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { result, receipts } = await clients.during(
      () => STREAMS,
      () => write({ do: 'each' }),
    );
    rate.push(computeRate(receipts, result[0] ?? 0));
  }
  await clients.close();
  bare.kill();
  return { kb, rate, ...computeLatencies(slow.receipts, slow.result) };
}

async function measureOurs() {
  const userIds = await createUsers(db, STREAMS);
  const { port, hostname: host } = new URL(services.apiUrl);
  const paths = await issueStreamPaths(db, { home: services.home, baseUrl: BASE_URL, userIds });
  const before = await warmUp({ host, port: Number(port) }, paths.slice(0, WARM_UP), readApiKb);
  await clients.open({ host, port: Number(port), paths });
  await sleep(3_000);
  const kb = ((await readApiKb()) - before) / STREAMS;

  const slow = await clients.during(
    () => LATENCY_STREAMS,
    async () => {
      const committed: number[] = [];
      for (const userId of userIds.slice(0, LATENCY_STREAMS)) {
        const begun = performance.now();
        await db.transaction().execute((tx) =>
          addNotification(tx, {
            userId,
            type: 'CROSS_POST_SUCCESS',
            payload: PAYLOAD,
            dedupeKey: userId,
            now: new Date(),
          }),
        );
        committed.push(performance.timeOrigin + performance.now());
        await sleep(Math.max(0, 1_000 / PER_SECOND - (performance.now() - begun)));
      }
      return committed;
    },
  );
  const rate: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { result, receipts } = await clients.during(
      () => STREAMS,
      () => notifyAll(db, round),
    );
    rate.push(computeRate(receipts, result));
  }
  await clients.close();
  return { kb, rate, ...computeLatencies(slow.receipts, slow.result) };
}

/**
 * Opens streams first, so that code loading and heap growth do not count as memory of a stream.
 * Returns the memory afterwards.
 */
async function warmUp(
  where: { host: string; port: number },
  paths: string[],
  readKb: () => number | Promise<number>,
): Promise<number> {
  await clients.open({ ...where, paths });
  await sleep(500);
  await clients.close();
  await sleep(1_500);
  return readKb();
}

async function measureMercure(hub: string): Promise<number[]> {
  const { hostname: host, port } = new URL(hub);
  const topics = numbers(STREAMS).map((index) => `https://bench.example/${index}`);
  const paths = topics.map((topic) => `/.well-known/mercure?topic=${encodeURIComponent(topic)}`);
  await clients.open({ host, port: Number(port), paths });
  const rate: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.timeOrigin + performance.now();
    const { receipts } = await clients.during(
      (published: number) => published,
      () => publishToMercure(hub, topics, JSON.stringify(DATA)),
    );
    rate.push(computeRate(receipts, begun));
  }
  await clients.close();
  return rate;
}

/** Returns the time of the commit. */
async function notifyAll(database: Database, round: number): Promise<number> {
  await database.transaction().execute(async (tx) => {
    const key = `bench:${round}:`;
    await sql`with counted as (
        insert into notification_counters (user_id, last_number)
          select id, 1 from users where username like 'stream-%'
          on conflict (user_id) do update set last_number = notification_counters.last_number + 1
          returning user_id, last_number
      ), added as (
        insert into notifications (user_id, number, type, payload, dedupe_key, created_at)
          select user_id, last_number, 'CROSS_POST_SUCCESS', ${JSON.stringify(PAYLOAD)}::jsonb, ${key}::text || user_id, now() from counted
          returning user_id, number, id, type, payload, created_at
      )
      select pg_notify(${NOTIFICATION_CHANNEL}, json_build_object('userId', user_id, 'number', number, 'event',
        jsonb_build_object('id', id, 'type', type, 'createdAt', created_at) || payload)::text) from added`.execute(tx);
  });
  return performance.timeOrigin + performance.now();
}

/** Returns events per second, from the commit to the last receipt. */
function computeRate(receipts: Receipt[], begunAt: number): number {
  return (receipts.length / (Math.max(...receipts.map(({ at }) => at)) - begunAt)) * 1_000;
}

function computeLatencies(receipts: Receipt[], begunAt: number[]): { p50: number; p99: number } {
  const sorted = receipts.map(({ stream, at }) => at - (begunAt[stream] ?? Number.NaN)).sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function readApiKb(): Promise<number> {
  return (await services.residentMemory()).api * 1024;
}

function readResidentKb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function show(values: number[]): string {
  return `${median(values).toFixed(0)} (${values.map((value) => value.toFixed(0)).join(', ')})`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
