/** The PostgreSQL of an API is killed and restarted during publishes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { openDatabase } from '../../../store/db/database.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { markdown } from '../../support/api/api.ts';
import { startOwnPostgres } from '../../support/database/own-postgres.ts';
import { eventually } from '../../support/eventually.ts';

/** A scheduled article always has a workflow, and so an outbox row. */
const FAR_AHEAD = '2099-01-01T00:00:00Z';

test('publishes while PostgreSQL is killed succeed completely or return 503, and the API recovers (F8)', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'courant-f8-'));
  const postgres = await startOwnPostgres();
  const apiPort = await findFreePort();
  const api = spawn(process.execPath, ['api/app/main.ts'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DATABASE_URL: postgres.url,
      PORT: String(apiPort),
      BASE_URL: `http://localhost:${apiPort}`,
      COURANT_HOME: home,
      PUBLISH_RATE_PER_MINUTE: '100000',
      TEMPORAL_ADDRESS: `127.0.0.1:${await findFreePort()}`,
    },
  });
  t.after(async () => {
    api.kill('SIGKILL');
    await postgres.close();
    rmSync(home, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${apiPort}`;
  const isReady = async () => (await fetch(`${base}/health/ready`).catch(() => null))?.status === 200;
  await eventually('the API to be ready', isReady, { withinMs: 120_000 });

  const seed = openDatabase(postgres.url, { maxConnections: 1 });
  const now = new Date();
  const user = await createUser(seed, { username: 'f8', name: 'F', email: 'f8@example.org', passwordHash: 'x', now });
  const { token } = await createDeveloperToken(seed, { userId: user.id, name: 'f8', now });
  await seed.destroy();

  const statuses = new Map<number, number>();
  const created: string[] = [];
  /** Titles of publishes rejected with "Nothing was changed". */
  const unchanged: string[] = [];
  let publishing = true;
  const clients = Array.from({ length: 5 }, async (_, client) => {
    for (let n = 0; publishing; n++) {
      const title = `Client ${client} number ${n}`;
      const response = await fetch(`${base}/api/v1/articles`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: markdown({ title, scheduled_at: FAR_AHEAD }) }),
      });
      const body = (await response.json()) as { data?: { id: string }; detail?: string };
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 201 && body.data) created.push(body.data.id);
      if (response.status === 503) assert.ok(response.headers.get('retry-after'));
      if (body.detail?.includes('Nothing was changed')) unchanged.push(title);
      if (response.status !== 201) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const count = (status: number) => statuses.get(status) ?? 0;
  await eventually('publishes', async () => count(201) >= 100);
  await postgres.kill();
  await eventually('readiness to say so', async () => !(await isReady()));
  await eventually('refused publishes', async () => count(503) >= 10);
  await postgres.start();
  await eventually('the API to be ready again', isReady, { withinMs: 120_000 });
  const before = count(201);
  await eventually('publishes again', async () => count(201) >= before + 10);
  publishing = false;
  await Promise.all(clients);

  assert.deepEqual([...statuses.keys()].sort(), [201, 503], JSON.stringify([...statuses]));
  assert.equal(api.exitCode, null, 'the same process');
  const db = openDatabase(postgres.url, { maxConnections: 1 });
  const rows = await db.selectFrom('articles').select(['id', 'title']).execute();
  const outbox = await db.selectFrom('outbox').select('articleId').execute();
  await db.destroy();
  const stored = new Set(rows.map((row) => row.id));
  for (const id of created) assert.ok(stored.has(id), 'every created article is stored');
  for (const { title } of rows)
    assert.ok(!unchanged.includes(title), `${title}: "nothing was changed", and it is there`);
  assert.deepEqual(new Set(outbox.map((row) => row.articleId)), stored, 'no article without its outbox row');
});
