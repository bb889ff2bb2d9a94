/** The API as a process of its own, over the database of a test, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../../scripts/start/ports.ts';
import type { TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

export interface ApiProcess {
  url: string;
  kill(): Promise<void>;
}

export interface ApiProcessOptions {
  /** Over its database, with its keys, its site and its task queue. */
  like: TestApi;
  temporal: string;
  databaseUrl?: string;
  env?: Record<string, string>;
  /** Where its code is, if it is another release. */
  root?: string | undefined;
}

export async function startApiProcess({
  like,
  temporal,
  databaseUrl,
  env,
  root,
}: ApiProcessOptions): Promise<ApiProcess> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'api/main.ts'], {
    stdio: 'ignore',
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl ?? like.databaseUrl,
      PORT: String(port),
      BASE_URL: `http://localhost:${new URL(like.url).port}`,
      COURANT_HOME: like.home,
      PUBLISH_RATE_PER_MINUTE: '100000',
      GRAPHQL_RATE_PER_MINUTE: '100000',
      TEMPORAL_ADDRESS: temporal,
      TEMPORAL_TASK_QUEUE: like.taskQueue,
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
  await eventually('the API to be ready', isReady, { withinMs: 180_000 }).catch(async (error: unknown) => {
    await kill(child);
    throw error;
  });
  return { url, kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
