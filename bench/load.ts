/**
 * `npm run bench:load`: publishes, delivers, reads, searches and streams in parallel for two
 * minutes, at fixed send times. Then overloads the machine, and measures rejections and recovery.
 * Variables: `LOAD_SECONDS`, `LOAD_FACTOR`. Exit code 1 if a delivery was lost or duplicated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../store/db/database.ts';
import { copyArticle, publish, waitForDescriptions } from './articles.ts';
import { createUsers, issueStreamPaths, startClients } from './events/streams.ts';
import { printFigure } from './figure.ts';
import { countOutcomes } from './load/outcomes.ts';
import { type PacedLoad, type Request, runPaced } from './load/paced.ts';
import { describeGrowth, describeLoad, type MemorySample } from './load/report.ts';
import { waitUntil } from './measure.ts';
import { startBenchServices } from './publish/services.ts';
import { connectSandbox, startSandbox } from './sandbox.ts';

const SECONDS = Number(process.env.LOAD_SECONDS ?? 120);
const FACTOR = Number(process.env.LOAD_FACTOR ?? 1);
const OVERLOAD_SECONDS = 15;
const STREAMS = 1_000;
const ARTICLES = 500;
const DESTINATIONS = 2;
const BASE_URL = 'http://bench.example';
const THIS_SITE_ONLY = 'cross_post: {blogsite_a: false, blogsite_b: false}\n';
const BODY = 'A paragraph with *emphasis*, `code` and [a link](https://example.org/).\n\n'.repeat(30);

const services = await startBenchServices({
  env: {
    BASE_URL,
    DELIVERY_PACING: 'off',
    ALLOW_PRIVATE_DESTINATIONS: 'on',
    STREAMS_PER_ADDRESS: String(STREAMS + 10),
  },
});
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const clients = await startClients();
let published = 0;
try {
  const sandboxUrl = await startSandbox(services, { rateLimits: 'off' });
  await publish(services, 'Measured', BODY, THIS_SITE_ONLY);
  await waitForDescriptions(db);
  await copyArticle(db, 'measured', ARTICLES);
  await connectSandbox(services, db, { userId: services.userId, sandboxUrl });
  await openStreams();

  console.log(`${SECONDS} s of everything at once, ${STREAMS} streams open`);
  const before = await countOutcomes(db, sandboxUrl);
  const memory: MemorySample[] = [];
  const sampling = setInterval(async () => memory.push(await services.residentMemory()), 2_000);
  const { receipts } = await clients.during(
    () => published * DESTINATIONS,
    async () => {
      const tallies = await Promise.all(listUsual().map((load) => runPaced(services.apiUrl, load, SECONDS)));
      clearInterval(sampling);
      for (const tally of tallies) console.log(describeLoad(tally, SECONDS));
    },
  );
  await waitUntil('the deliveries', async () => (await countOutcomes(db, sandboxUrl)).waiting === 0);
  const after = await countOutcomes(db, sandboxUrl);
  const posts = after.posts - before.posts;
  const events = receipts.length;
  console.log(
    `  ${published} articles × ${DESTINATIONS}: ${posts} posts, ${after.delivered - before.delivered} recorded, ${events} events`,
  );
  console.log(`  memory: ${describeGrowth(memory)}`);
  printFigure({
    what: 'lost or doubled under load',
    value: Math.abs(posts - published * DESTINATIONS) + Math.abs(events - posts),
    unit: 'deliveries',
    goal: { atMost: 0 },
  });
  if (posts !== published * DESTINATIONS || events !== posts) {
    console.log('  LOST OR DOUBLED');
    process.exitCode = 1;
  }

  console.log(`\n${OVERLOAD_SECONDS} s of more than it can do`);
  const flood = await Promise.all(listFlood().map((load) => runPaced(services.apiUrl, load, OVERLOAD_SECONDS)));
  for (const tally of flood) console.log(describeLoad(tally, OVERLOAD_SECONDS));
  for (const pause of [0, 5]) {
    await sleep(pause * 1_000);
    console.log(`\n${pause} s later, as much as before, for 5 s`);
    const tallies = await Promise.all(listUsual().map((load) => runPaced(services.apiUrl, load, 5)));
    for (const tally of tallies) console.log(describeLoad(tally, 5));
  }
} finally {
  clients.process.kill();
  await db.destroy();
  await services.stop();
}

/** The publishing author has the first stream, which receives an event per outcome. */
async function openStreams(): Promise<void> {
  const userIds = [services.userId, ...(await createUsers(db, STREAMS - 1))];
  const paths = await issueStreamPaths(db, { home: services.home, baseUrl: BASE_URL, userIds });
  const { hostname: host, port } = new URL(services.apiUrl);
  await clients.open({ host, port: Number(port), paths });
}

function listUsual(): PacedLoad[] {
  const headers = { 'accept-encoding': 'br, gzip' };
  const read =
    (list: string[]) =>
    (n: number): Request => ({ path: list[n % list.length] ?? '/', headers });
  const pages = ['/', ...Array.from({ length: ARTICLES }, (_, n) => `/filled-${n + 1}`)];
  const agents = [
    '/llms.txt',
    '/llms-full.txt',
    '/api/geo/posts/measured',
    '/measured.md',
    '/feed.xml',
    '/sitemap.xml',
  ];
  const load = (name: string, perSecond: number, next: (n: number) => Request, more: Partial<PacedLoad> = {}) => ({
    name,
    perSecond: perSecond * FACTOR,
    next,
    ...more,
  });
  return [
    load('publish, two destinations', 2, () => post('', 'Delivered'), { onResponse: () => void published++ }),
    load('publish, this site only', 4, () => post(THIS_SITE_ONLY, 'Kept')),
    load('pages', 150, read(pages)),
    load('what agents read', 100, read(agents)),
    load('pages that are not there', 10, (n) => ({ path: `/nothing-${n}` }), { isValid: (status) => status === 404 }),
    // The limit is 120 per minute and network.
    load('search', 1, (n) => ({ path: `/search?q=${['paragraph', 'emphasis', 'link'][n % 3]}` })),
    load('the list of articles', 5, () => ({ path: '/api/v1/articles?first=20' })),
  ];
}

/**
 * Publishes and searches, which have no cached responses, at several times the capacity of two
 * cores; and some pages.
 */
function listFlood(): PacedLoad[] {
  return [
    { name: 'publish, this site only', perSecond: 400, next: () => post(THIS_SITE_ONLY, 'Flood') },
    { name: 'search', perSecond: 400, next: (n) => ({ path: `/search?q=paragraph+${n}` }) },
    { name: 'pages', perSecond: 100, next: (n) => ({ path: `/filled-${(n % ARTICLES) + 1}` }) },
  ];
}

function post(frontmatter: string, title: string): Request {
  const content = `---\ntitle: ${title} ${Math.random()}\n${frontmatter}---\n\n${BODY}`;
  return {
    method: 'POST',
    path: '/api/v1/articles',
    headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  };
}
