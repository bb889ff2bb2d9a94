/**
 * `npm run bench:lighthouse`: measures public pages and the desk with Lighthouse, on mobile and
 * desktop: the median of three runs (`RUNS`) per category, and all failed audits with their
 * elements. `PAGES` selects pages. Asserts nothing.
 */
import { type Config, desktopConfig, type Result } from 'lighthouse';
import { explainAbsence, findTool } from '../scripts/check/set-up.ts';
import { openDatabase } from '../store/db/database.ts';
import { listFailures, openLighthouse } from '../test/support/browser/lighthouse.ts';
import { copyArticle, LONG_BODY, publish, waitForDescriptions } from './articles.ts';
import { quantile } from './measure.ts';
import { fillDesk } from './pages/desk-rows.ts';
import { signIn } from './pages/sign-in.ts';
import { startBenchServices } from './publish/services.ts';

const RUNS = Number(process.env.RUNS ?? 3);
const PAGES = [
  ['home', '/'],
  ['article', '/measured'],
  ['author', '/authors/bench'],
  ['search', '/search?q=measured'],
  ['login', '/login'],
  ['desk', '/desk'],
] as const;
const CHOSEN = process.env.PAGES?.split(',');
/** Pages with an intended `noindex`. */
const UNLISTED = ['search', 'login', 'desk'];
const UNLISTED_AUDIT = 'is-crawlable';

const executablePath = findTool('CHROMIUM_PATH');
if (!executablePath) throw new Error(explainAbsence('CHROMIUM_PATH'));

const examiner = await openLighthouse(executablePath);
const services = await startBenchServices();
/** Uses the host name of its own links. */
const site = services.apiUrl.replace('127.0.0.1', 'localhost');
try {
  await publish(services, 'Measured', LONG_BODY, 'tags: [one, two]\ngenerate_toc: true\n');
  const db = openDatabase(services.databaseUrl, { maxConnections: 1 });
  await waitForDescriptions(db);
  await copyArticle(db, 'measured', 40);
  await fillDesk(db, services.userId);
  const cookie = await signIn(db, services);
  await db.destroy();
  for (const form of ['mobile', 'desktop'] as const) {
    for (const [name, path] of PAGES) {
      if (CHOSEN && !CHOSEN.includes(name)) continue;
      const { settings } = form === 'desktop' ? desktopConfig : {};
      await report(`${name}, ${form}`, path, {
        extends: 'lighthouse:default',
        settings: {
          ...settings,
          ...(name === 'desk' && { extraHeaders: { cookie } }),
          ...(UNLISTED.includes(name) && { skipAudits: [UNLISTED_AUDIT] }),
        },
      });
    }
  }
} finally {
  await examiner.close();
  await services.stop();
}

async function report(name: string, path: string, config: Config): Promise<void> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run++) results.push(await examiner.run(`${site}${path}`, config));
  const [first] = results;
  if (!first) throw new Error(`Lighthouse says nothing of ${path}`);
  const scores = Object.entries(first.categories).map(([id, { title }]) => {
    const all = results.map(({ categories }) => (categories[id]?.score ?? Number.NaN) * 100).sort((a, b) => a - b);
    return `${title} ${quantile(all, 0.5)}`;
  });
  console.log(`${name}: ${scores.join(', ')}`);
  for (const line of new Set(results.flatMap(listFailures))) console.log(`  ${line}`);
}
