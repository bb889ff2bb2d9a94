/**
 * `npm run bench:soak`: publishes 20 articles of 1.5 KB and reads 90 pages a second with 60 open
 * event streams for `SOAK_MINUTES` (30), and shows whether the memory of API and worker stays flat.
 */
import { openDatabase } from '../store/db/database.ts';
import { createUsers, issueStreamPaths, startClients } from './events/streams.ts';
import { printFigure } from './figure.ts';
import { runPaced } from './load/paced.ts';
import { describeLoad, type MemorySample } from './load/report.ts';
import { startBenchServices } from './publish/services.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const STREAMS = 60;
const SAMPLES_PER_MINUTE = 12;
const GOALS = { api: { atMost: 700 }, worker: { atMost: 400 } };
const BASE_URL = 'http://bench.example';
const BODY = 'A paragraph with *emphasis*, `code` and [a link](https://example.org/).\n\n'.repeat(20);
/** Each selects another coding, and a cached response holds one body for each. */
const ACCEPTED_CODINGS = ['br, gzip', 'gzip', 'zstd', 'identity'];

const services = await startBenchServices({ env: { BASE_URL } });
const db = openDatabase(services.databaseUrl, { maxConnections: 2 });
const clients = await startClients();
const samples: MemorySample[] = [];
const paths = ['/'];
try {
  const userIds = await createUsers(db, STREAMS);
  const { hostname: host, port } = new URL(services.apiUrl);
  const streamPaths = await issueStreamPaths(db, { home: services.home, baseUrl: BASE_URL, userIds });
  await clients.open({ host, port: Number(port), paths: streamPaths });
  const sampling = setInterval(takeSample, 60_000 / SAMPLES_PER_MINUTE);
  const loads = [
    { name: 'publish, this site only', perSecond: 20, next: buildPublish, onResponse: addPath },
    { name: 'pages', perSecond: 90, next: buildRead },
  ];
  const results = await Promise.all(loads.map((load) => runPaced(services.apiUrl, load, MINUTES * 60)));
  clearInterval(sampling);
  for (const result of results) console.log(describeLoad(result, MINUTES * 60));
  for (const name of ['api', 'worker'] as const) {
    const value = Math.max(...samples.map((sample) => sample[name]));
    printFigure({ what: `highest memory of the ${name} in ${MINUTES} minutes`, value, unit: 'MB', goal: GOALS[name] });
    const growth = averageQuarter(name, 3) / averageQuarter(name, 1);
    const what = `memory of the ${name}, last quarter`;
    printFigure({ what, value: growth, unit: '× the second', goal: { atMost: 1.1 } });
  }
} finally {
  clients.process.kill();
  await db.destroy();
  await services.stop();
}

async function takeSample(): Promise<void> {
  const sample = await services.residentMemory();
  samples.push(sample);
  if (samples.length % SAMPLES_PER_MINUTE > 0) return;
  const minute = String(samples.length / SAMPLES_PER_MINUTE).padStart(3);
  console.log(`minute ${minute}: API ${sample.api} MB, worker ${sample.worker} MB, ${paths.length - 1} articles`);
}

/** `quarter` is 0 to 3. */
function averageQuarter(name: keyof MemorySample, quarter: number): number {
  const part = samples.slice((samples.length * quarter) / 4, (samples.length * (quarter + 1)) / 4);
  return part.reduce((sum, sample) => sum + sample[name], 0) / part.length;
}

function buildPublish(n: number) {
  const body = JSON.stringify({ content: `---\ntitle: Soak ${n}\n---\n\n${BODY}` });
  const headers = { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' };
  return { method: 'POST' as const, path: '/api/v1/articles', headers, body };
}

function addPath(text: string): void {
  const { data } = JSON.parse(text) as { data: { slug: string } };
  paths.push(`/${data.slug}`);
}

/** Half of the readers open one of the newest articles, the others any article. */
function buildRead(n: number) {
  const age = Math.random() * (n % 2 === 0 ? Math.min(paths.length, 100) : paths.length);
  const coding = ACCEPTED_CODINGS[n % ACCEPTED_CODINGS.length] ?? 'identity';
  return { path: paths[paths.length - 1 - Math.floor(age)] ?? '/', headers: { 'accept-encoding': coding } };
}
