/**
 * `npm run bench:discovery`: measures public pages with 500 and 100,000 articles: requests per
 * second compared with a bare Fastify route of equal size, a 304, and the first request after a
 * publish. Variables: `GHOST` (page of a Ghost site), `BENCH_SECONDS`. Asserts nothing.
 */
import { openDatabase } from '../store/db/database.ts';
import { copyArticle, publish, waitForDescriptions } from './articles.ts';
import { startComparison } from './discovery/compare.ts';
import { measureRate } from './discovery/load.ts';
import { printFigure } from './figure.ts';
import { quantile } from './measure.ts';
import { startBenchServices } from './publish/services.ts';

const MS = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const CODED = { 'accept-encoding': 'br, gzip' };
const BODY = 'A paragraph with *emphasis*, `code` and [a link](https://example.org/).\n\n'.repeat(60);

const services = await startBenchServices();
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
try {
  const compare = await startComparison(services, MS);
  await publish(services, 'Measured', BODY);
  await waitForDescriptions(db);
  const rates = new Map<string, number[]>();
  for (const count of [500, 100_000]) {
    await copyArticle(db, 'measured', count);
    console.log(`with ${count} articles`);
    for (const path of [
      '/measured',
      '/',
      '/api/geo/posts/measured',
      '/llms.txt',
      '/llms-full.txt',
      '/feed.xml',
      '/sitemap.xml',
    ]) {
      const rate = await compare(path, { headers: CODED });
      if (rate) rates.set(path, [...(rates.get(path) ?? []), rate]);
    }
    await compare('/measured', { headers: CODED, isNotModified: true });
    await measureFirstRequest();
  }
  for (const [path, [few = 0, many = 0]] of rates) {
    printFigure({ what: `${path}, 500 : 100,000 articles`, value: few / many, unit: '×', goal: { atMost: 1.3 } });
  }
  if (process.env.GHOST) {
    const ghost = await measureRate(process.env.GHOST, { ms: MS });
    console.log(`Ghost: ${Math.round(ghost)}/s`);
    const value = (rates.get('/measured')?.at(-1) ?? Number.NaN) / ghost;
    printFigure({ what: 'an article page, beside Ghost', value, unit: '× its rate', goal: { atLeast: 100 } });
  }
} finally {
  await db.destroy();
  await services.stop();
}

async function measureFirstRequest(): Promise<void> {
  const times: number[] = [];
  for (let number = 0; number < 10; number++) {
    const slug = await publish(services, `First request ${number} ${Math.random()}`, BODY);
    const begun = performance.now();
    await (await fetch(`${services.apiUrl}/${slug}`, { headers: CODED })).arrayBuffer();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  printFigure({
    what: 'first request after a publish, p50',
    value: quantile(times, 0.5),
    unit: 'ms',
    goal: { atMost: 50 },
    spread: times,
  });
  console.log(`  first request after a publish: p50 ${quantile(times, 0.5)} ms, slowest ${quantile(times, 1)} ms`);
}
