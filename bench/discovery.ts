/**
 * What readers and agents ask for (`npm run bench:discovery`), with 500 and with 100,000 articles: requests a second, beside a bare Fastify route that
 * sends a buffer of the same size in the same run; a 304; and the first request after a publish. `GHOST` is the address of a page of a Ghost to
 * measure as well. `BENCH_SECONDS` changes how long each is asked. Nothing is asserted.
 */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { findFreePort } from '../scripts/start/ports.ts';
import { type Database, openDatabase } from '../store/db/database.ts';
import { measureRate } from './discovery/load.ts';
import { quantile, until } from './measure.ts';
import { startBenchServices } from './publish/services.ts';

const MS = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
/** By turns with the bare one, so that what else the machine does is in both; the round in the middle counts. */
const ROUNDS = 5;
const BATCH = 5_000;
const CODED = { 'accept-encoding': 'br, gzip' };
const BODY = 'A paragraph with *emphasis*, `code` and [a link](https://example.org/).\n\n'.repeat(60);

const services = await startBenchServices();
const db = openDatabase(services.databaseUrl, { connections: 4 });
const barePort = await findFreePort();
try {
  await services.start('bare', {
    file: process.execPath,
    args: [fileURLToPath(new URL('./discovery/bare.ts', import.meta.url))],
    env: { ...process.env, PORT: String(barePort) },
    cwd: process.cwd(),
  });
  await publish('Measured');
  await until('the description', async () => {
    const { rows } = await sql`select 1 from articles where status = 'PUBLISHED' and derived_version = 0`.execute(db);
    return rows.length === 0;
  });
  const rates = new Map<string, number[]>();
  for (const count of [500, 100_000]) {
    await fill(db, count);
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
      const rate = await compare(path, CODED);
      if (rate) rates.set(path, [...(rates.get(path) ?? []), rate]);
    }
    await compare('/measured', CODED, { isNotModified: true });
    await measureFirstRequest();
  }
  for (const [path, [few = 0, many = 0]] of rates)
    console.log(`${path}: 500 : 100,000 articles ${(few / many).toFixed(2)}`);
  if (process.env.GHOST) console.log(`Ghost: ${Math.round(await measureRate(process.env.GHOST, { ms: MS }))}/s`);
} finally {
  await db.destroy();
  await services.stop();
}

async function compare(
  path: string,
  headers: Record<string, string>,
  { isNotModified = false } = {},
): Promise<number | null> {
  const url = `${services.apiUrl}${path}`;
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 200) return null;
  const bytes = isNotModified ? 0 : Number(answer.headers.get('content-length'));
  const conditions = isNotModified ? { 'if-none-match': answer.headers.get('etag') ?? '' } : {};
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measureRate(url, { headers: { ...headers, ...conditions }, ms: MS / ROUNDS });
    const bare = await measureRate(`http://127.0.0.1:${barePort}/${bytes}`, { headers, ms: MS / ROUNDS });
    rounds.push({ ours, bare });
  }
  rounds.sort((a, b) => a.ours / a.bare - b.ours / b.bare);
  const { ours, bare } = rounds[Math.floor(ROUNDS / 2)] ?? { ours: Number.NaN, bare: Number.NaN };
  const what = isNotModified ? `${path} as 304` : `${path}, ${bytes} bytes`;
  console.log(`  ${what}: ${Math.round(ours)}/s, bare ${Math.round(bare)}/s: ${((ours / bare) * 100).toFixed(0)} %`);
  return ours;
}

async function measureFirstRequest(): Promise<void> {
  const times: number[] = [];
  for (let number = 0; number < 10; number++) {
    const slug = await publish(`First request ${number} ${Math.random()}`);
    const begun = performance.now();
    await (await fetch(`${services.apiUrl}/${slug}`, { headers: CODED })).arrayBuffer();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  console.log(`  first request after a publish: p50 ${quantile(times, 0.5)} ms, slowest ${quantile(times, 1)} ms`);
}

async function publish(title: string): Promise<string> {
  const response = await fetch(`${services.apiUrl}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: `---\ntitle: ${title}\n---\n${BODY}` }),
  });
  const answer = (await response.json()) as { data?: { slug: string } };
  if (!answer.data) throw new Error(`a publish was refused: ${JSON.stringify(answer)}`);
  return answer.data.slug;
}

/** Copies of the first article, each with its own address. */
async function fill(db: Database, count: number): Promise<void> {
  for (let from = 1; from <= count; from += BATCH) {
    const to = Math.min(count, from + BATCH - 1);
    await sql`
      insert into articles (author_id, slug, title, title_key, canonical_key, body, source, content_hash, fingerprint, derived, derived_version,
        derived_at, cross_post, status, published_at, updated_at, created_at, tags)
      select author_id, 'filled-' || n, 'Filled ' || n, 'filled ' || n, 'self:filled-' || n, '', '', content_hash, fingerprint, derived,
        derived_version, derived_at, cross_post, status, published_at - n * interval '1 minute', updated_at, created_at, array['tag' || n % 50]
      from articles, generate_series(${from}::int, ${to}::int) n where slug = 'measured' on conflict do nothing`.execute(
      db,
    );
  }
  // Done here, it is not done by PostgreSQL while something is measured.
  for (const table of ['articles', 'article_changes']) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  await sql`checkpoint`.execute(db);
}
