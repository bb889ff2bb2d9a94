/**
 * The pages that people are shown (`npm run bench:pages`). Those that are the same for everybody: requests a second beside a bare Fastify route that
 * sends a buffer of the same size in the same run. Those of a signed-in author who has 1,000 articles: size, and the server's time for one request
 * after the other. `BENCH_SECONDS` changes how long each is asked. Nothing is asserted.
 */
import { openDatabase } from '../store/db/database.ts';
import { hashPassword, setPassword } from '../store/users/passwords.ts';
import { copyArticle, LONG_BODY, publish, waitForDescriptions } from './articles.ts';
import { startComparison } from './discovery/compare.ts';
import { quantile } from './measure.ts';
import { startBenchServices } from './publish/services.ts';

const MS = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const CODED = { 'accept-encoding': 'br, gzip' };
const READING = ['/', '/measured', '/authors/bench', '/tags/tag1', '/archive', '/login'];
const SIGNED_IN = ['/desk', '/desk/statistics'];
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
  console.log('what their author sees');
  const cookie = await signIn();
  for (const path of SIGNED_IN) await time(path, cookie);
} finally {
  await db.destroy();
  await services.stop();
}

async function time(path: string, cookie: string): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let n = 0; n < ASKED; n++) {
    const begun = performance.now();
    const answer = await fetch(`${services.apiUrl}${path}`, { headers: { cookie }, redirect: 'manual' });
    bytes = (await answer.arrayBuffer()).byteLength;
    times.push(performance.now() - begun);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  }
  times.sort((a, b) => a - b);
  console.log(
    `  ${path}: ${(bytes / 1024).toFixed(0)} KB, p50 ${quantile(times, 0.5)} ms, slowest ${quantile(times, 1)} ms`,
  );
}

async function signIn(): Promise<string> {
  const password = 'only for this run';
  await setPassword(db, services.userId, await hashPassword(password));
  const answer = await fetch(`${services.apiUrl}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'bench@example.org', password }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  const cookies = answer.headers.getSetCookie();
  if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}`);
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}
