/**
 * `npm run bench:previews`: publish latency without and with ten accounts that preview the slowest
 * accepted documents in a loop. Rounds alternate, so that a busy machine slows both. `ROUNDS` and
 * `PUBLISHES` change the numbers. Nothing is asserted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadKeyRing } from '../api/auth/keys/key-ring.ts';
import { createSessions } from '../api/auth/sessions.ts';
import { type Database, openDatabase } from '../store/db/database.ts';
import { openSession } from '../store/sessions/open-session.ts';
import { printFigure } from './figure.ts';
import { median, quantile } from './measure.ts';
import { createAuthor, startBenchServices } from './publish/services.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PUBLISHES = Number(process.env.PUBLISHES ?? 100);
const ACCOUNTS = 10;
const BASE_URL = 'http://bench.example';
const SLOWEST = [
  '- a\n\nb\n\n'.repeat(17_000),
  '- [a](b)\n'.repeat(14_000),
  `[a]: /x\n\n${`${'[a] '.repeat(20)}\n\n`.repeat(1_500)}`,
  `${'| a '.repeat(10)}|\n${'|---'.repeat(10)}|\n${`${'| a '.repeat(10)}|\n`.repeat(5_000)}`,
].map((body) => `# Slow\n\n${body}`);

const services = await startBenchServices({ env: { BASE_URL } });
const db = openDatabase(services.databaseUrl, { maxConnections: 2 });
try {
  const cookies = await signInAccounts(db);
  await measurePublishes(20);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const idle = await measurePublishes(PUBLISHES);
    const attack = startPreviews(cookies);
    await sleep(2_000);
    const beside = await measurePublishes(PUBLISHES);
    const answers = await attack.stop();
    ratios.push(beside.p95 / idle.p95);
    console.log(
      `publish idle p50 ${idle.p50} p95 ${idle.p95} ms; beside the previews p50 ${beside.p50} p95 ${beside.p95} ms, refused ${beside.refused}; previews ${answers}`,
    );
    // Resets the limit of previews per minute.
    await db.deleteFrom('rateCounters').where('bucket', 'like', 'preview:%').execute();
  }
  const what = 'p95 of publishes beside ten confirmed accounts that preview the slowest documents';
  printFigure({ what, value: median(ratios), unit: '× idle', goal: { atMost: 2 }, spread: ratios });
} finally {
  await db.destroy();
  await services.stop();
}

async function signInAccounts(database: Database): Promise<string[]> {
  const keys = await loadKeyRing({ home: services.home, key: undefined });
  const sessions = createSessions(keys, { issuer: BASE_URL, now: () => new Date() });
  const cookies: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { id: userId } = await createAuthor(database, `previewer-${n}`);
    await database.updateTable('users').set({ emailConfirmedAt: new Date() }).where('id', '=', userId).execute();
    const { sessionId } = await openSession(database, { userId, userAgent: null, now: new Date() });
    const { token } = await sessions.issue('courant:cookie', { userId, sessionId });
    cookies.push(`courant_session=${token}`);
  }
  return cookies;
}

async function measurePublishes(count: number): Promise<{ p50: number; p95: number; refused: number }> {
  const times: number[] = [];
  let refused = 0;
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now();
    const answer = await fetch(`${services.apiUrl}/api/v1/articles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        content: `# Article ${begun}\n\nA paragraph with *emphasis* and [a link](https://a.example/).\n`,
      }),
    });
    await answer.text();
    if (answer.status !== 201) refused += 1;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), refused };
}

/** `stop` returns the number of previews by status. */
function startPreviews(cookies: readonly string[]): { stop(): Promise<string> } {
  const stopped = new AbortController();
  const counts = new Map<number | string, number>();
  const loops = cookies.map(async (cookie, index) => {
    for (let n = index; !stopped.signal.aborted; n += 1) {
      const body = new FormData();
      body.set('content', SLOWEST[n % SLOWEST.length] ?? '');
      const status = await fetch(`${services.apiUrl}/desk/write/preview`, {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
        body,
        redirect: 'manual',
        signal: stopped.signal,
      }).then(
        async (answer) => {
          await answer.text();
          return answer.status;
        },
        () => 'stopped',
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
      // An attacker ignores Retry-After.
      if (status !== 200) await sleep(100);
    }
  });
  return {
    async stop() {
      stopped.abort();
      await Promise.all(loops);
      return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
    },
  };
}
