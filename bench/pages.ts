/**
 * The pages that people are shown (`npm run bench:pages`). Those that are the same for everybody: requests a second beside a bare Fastify route that
 * sends a buffer of the same size in the same run. Those of a signed-in author who has 1,000 articles at five destinations each: size, the server's
 * time for one request after the other, and how long after its commit an event is seen in the grid, on the screen of a real browser.
 * `BENCH_SECONDS` changes how long each is asked. Nothing is asserted.
 */
import { request } from 'undici';
import { openDatabase } from '../store/db/database.ts';
import { copyArticle, LONG_BODY, publish, waitForDescriptions } from './articles.ts';
import { startComparison } from './discovery/compare.ts';
import { quantile } from './measure.ts';
import { fillDesk } from './pages/desk-rows.ts';
import { measureGridUpdates } from './pages/grid-updates.ts';
import { signIn } from './pages/sign-in.ts';
import { startBenchServices } from './publish/services.ts';

const MS = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const CODED = { 'accept-encoding': 'br, gzip', 'sec-fetch-site': 'none' };
const READING = ['/', '/measured', '/authors/bench', '/tags/tag1', '/archive', '/login'];
const SIGNED_IN = [
  '/desk',
  '/desk?state=needs-you',
  '/desk/calendar',
  '/desk/notifications',
  '/desk/statistics',
  '/desk/settings/connections',
];
const ASKED = 40;

const services = await startBenchServices();
const db = openDatabase(services.databaseUrl, { connections: 4 });
try {
  const compare = await startComparison(services, MS);
  await publish(services, 'Measured', LONG_BODY, 'tags: [one, two]\ngenerate_toc: true\n');
  await waitForDescriptions(db);
  await copyArticle(db, 'measured', 1_000);
  console.log('what everybody reads, with 1,000 articles');
  for (const path of READING) await compare(path, { headers: CODED });
  console.log('what their author sees, with five destinations');
  await fillDesk(db, services.userId);
  const cookie = await signIn(db, services);
  const { id } = await db.selectFrom('articles').select('id').where('slug', '=', 'measured').executeTakeFirstOrThrow();
  for (const path of [...SIGNED_IN, `/desk/articles/${id}`]) await time(path, cookie);
  await measureGridUpdates(db, { apiUrl: services.apiUrl, userId: services.userId, cookie });
} finally {
  await db.destroy();
  await services.stop();
}

/** Uncompressed, which is what it takes to make them; and once as browsers ask whose reader typed the address. */
async function time(path: string, cookie: string): Promise<void> {
  const ask = async (coding: string) => {
    const begun = performance.now();
    const headers = { cookie, 'accept-encoding': coding, 'sec-fetch-site': 'none' };
    const answer = await request(`${services.apiUrl}${path}`, { headers });
    const bytes = (await answer.body.arrayBuffer()).byteLength;
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    const isCoded = answer.headers['content-encoding'] !== undefined;
    return { took: performance.now() - begun, kb: (bytes / 1024).toFixed(0), isCoded };
  };
  const times: number[] = [];
  for (let n = 0; n < ASKED; n++) times.push((await ask('identity')).took);
  times.sort((a, b) => a - b);
  const [raw, small] = [await ask('identity'), await ask('br')];
  const quantiles = `p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`;
  const sent = small.isCoded ? `${small.kb} KB as Brotli` : 'never compressed';
  console.log(`  ${path}: ${raw.kb} KB, ${sent}, ${quantiles}`);
}
