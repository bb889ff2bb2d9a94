/**
 * `npm run bench:pages`: compares public pages with a bare Fastify route of equal size (requests
 * per second). Measures desk pages with 1,000 articles at five destinations: size, server time, and
 * the delay from a commit to the screen. Variable: `BENCH_SECONDS`.
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
const PUBLIC_PAGES = ['/', '/measured', '/authors/bench', '/tags/tag1', '/archive', '/login'];
const DESK_PAGES = [
  '/desk',
  '/desk?state=needs-attention',
  '/desk/calendar',
  '/desk/notifications',
  '/desk/statistics',
  '/desk/settings/connections',
];
const REQUESTS = 40;

const services = await startBenchServices();
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
try {
  const compare = await startComparison(services, MS);
  await publish(services, 'Measured', LONG_BODY, 'tags: [one, two]\ngenerate_toc: true\n');
  await waitForDescriptions(db);
  await copyArticle(db, 'measured', 1_000);
  console.log('what everybody reads, with 1,000 articles');
  for (const path of PUBLIC_PAGES) await compare(path, { headers: CODED });
  console.log('what their author sees, with five destinations');
  await fillDesk(db, services.userId);
  const cookie = await signIn(db, services);
  const { id } = await db.selectFrom('articles').select('id').where('slug', '=', 'measured').executeTakeFirstOrThrow();
  for (const path of [...DESK_PAGES, `/desk/articles/${id}`]) await time(path, cookie);
  await measureGridUpdates(db, { apiUrl: services.apiUrl, userId: services.userId, cookie });
} finally {
  await db.destroy();
  await services.stop();
}

/**
 * Measures uncompressed responses, which shows the cost of rendering. Requests the page once with
 * compression as well.
 */
async function time(path: string, cookie: string): Promise<void> {
  const measureRequest = async (coding: string) => {
    const begun = performance.now();
    const headers = { cookie, 'accept-encoding': coding, 'sec-fetch-site': 'none' };
    const answer = await request(`${services.apiUrl}${path}`, { headers });
    const bytes = (await answer.body.arrayBuffer()).byteLength;
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    const isCoded = answer.headers['content-encoding'] !== undefined;
    return { took: performance.now() - begun, kb: (bytes / 1024).toFixed(0), isCoded };
  };
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) times.push((await measureRequest('identity')).took);
  times.sort((a, b) => a - b);
  const [raw, small] = [await measureRequest('identity'), await measureRequest('br')];
  const quantiles = `p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`;
  const sent = small.isCoded ? `${small.kb} KB as Brotli` : 'never compressed';
  console.log(`  ${path}: ${raw.kb} KB, ${sent}, ${quantiles}`);
}
