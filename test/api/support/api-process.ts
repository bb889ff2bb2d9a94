/** The API as a separate process over the database of a test, so that it can be killed. */
import { findFreePort } from '../../../scripts/start/ports.ts';
import type { TestApi } from '../../support/api/api.ts';
import { prepareServer, type ServerProcess } from '../../support/server-process.ts';

export interface ApiProcess extends ServerProcess {
  url: string;
}

export interface ApiProcessOptions {
  /** Provides the database, the keys, the site and the task queue. */
  like: TestApi;
  temporal: string;
  databaseUrl?: string;
  env?: Record<string, string>;
  /** The folder of its code, for another release. */
  root?: string;
}

/** Does not start the process. The port stays the same over restarts. */
export async function prepareApi({
  like,
  temporal,
  databaseUrl,
  env,
  ...code
}: ApiProcessOptions): Promise<ApiProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = prepareServer({
    ...code,
    args: ['--max-semi-space-size=8', 'api/app/main.ts'],
    env: {
      DATABASE_URL: databaseUrl ?? like.databaseUrl,
      PORT: String(port),
      BASE_URL: `http://localhost:${new URL(like.url).port}`,
      COURANT_HOME: like.home,
      MAX_EVENT_LOOP_DELAY_MS: '0',
      MAX_DATABASE_WAIT_MS: '0',
      PUBLISH_RATE_PER_MINUTE: '100000',
      GRAPHQL_RATE_PER_MINUTE: '100000',
      TEMPORAL_ADDRESS: temporal,
      TEMPORAL_TASK_QUEUE: like.taskQueue,
      ...env,
    },
    // A frozen process accepts connections but does not respond.
    isReady: async () =>
      (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null))?.status === 200,
  });
  return { ...server, url };
}

/** Like `prepareApi`, and waits until the process is ready. */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const api = await prepareApi(options);
  await api.start();
  return api;
}
