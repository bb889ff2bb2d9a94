/**
 * Starts the services of a walk: an API, a database, a Temporal server and a worker that can be
 * killed, and the sandbox.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { buildSandbox } from '../../sandbox/app.ts';
import type { SandboxAccount } from '../../sandbox/connectable-accounts.ts';
import { registerSearchAttributes } from '../../temporal/visibility/search-attributes.ts';
import { CONNECT, toFields } from '../api/connections/connection-requests.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { type GraphqlAnswer, runGraphql } from '../support/api/graphql.ts';
import type { Backup } from '../support/database/backup.ts';
import type { Fault } from '../support/delivery/delivery.ts';
import { type Restartable, startTemporal, startWorker } from './processes.ts';

export interface SandboxPost {
  platform: string;
  account: string;
  remoteId: string;
  title: string;
  canonicalUrl: string | null;
  status: string;
  byHand: boolean;
  changedAt: string;
}

export interface SandboxLogEntry {
  platform: string;
  action: 'create' | 'update' | 'withdraw';
  account: string;
  remoteId: string;
  canonicalUrl: string | null;
  title: string;
  at: string;
}

/** Names a post in the sandbox's list and in its log. */
export function formatPostKey(post: { platform: string; account: string; remoteId: string }): string {
  return `${formatAccountKey(post)} ${post.remoteId}`;
}

export function formatAccountKey({ platform, account }: { platform: string; account: string }): string {
  return `${platform} ${account}`;
}

export interface WalkWorld {
  api: TestApi;
  client: Client;
  worker: Restartable;
  temporal: Restartable;
  baseUrl: string;
  backup: (Backup & { at: string }) | null;
  /** The number of deliveries that differed, per restore from a backup. */
  restores: number[];
  /**
   * Canonical URLs of articles that were absent or not public in a backup. At platforms without
   * look-up, the database cannot know their later posts.
   */
  lost: Set<string>;
  /** The posts that changed between a backup and its restore, and that it did not compare. */
  uncompared: Set<string>;
  /** The sandbox account of an identity: `platform identity`. */
  identities: Map<string, Set<string>>;
  /** The number of credentials that were entered per destination. */
  credentials: Map<string, number>;
  posts(): Promise<SandboxPost[]>;
  log(): Promise<SandboxLogEntry[]>;
  addFault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  connect(account: SandboxAccount): Promise<GraphqlAnswer>;
  runGraphql(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  close(): Promise<void>;
}

export async function startWalkWorld(): Promise<WalkWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'courant-walk-'));
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.reverse()) await closeOne();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const temporal = await startTemporal(folder);
    closers.push(() => temporal.close());
    const connection = await Connection.connect({ address: temporal.address });
    closers.push(() => connection.close());
    await registerSearchAttributes(connection, 'default');
    const env = { ALLOW_PRIVATE_DESTINATIONS: 'true' };
    const api = await startTestApi({ temporal: temporal.address, env });
    closers.push(() => api.close());
    const baseUrl = `http://localhost:${new URL(api.url).port}`;
    const sandbox = await buildSandbox({ baseUrl, rateLimits: false });
    closers.push(() => sandbox.close());
    const { url } = await sandbox.listen();
    const worker = await startWorker({
      DATABASE_URL: api.databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_TASK_QUEUE: api.taskQueue,
      COURANT_HOME: api.home,
      BASE_URL: baseUrl,
    });
    closers.push(() => worker.close());
    const restoreState = { backup: null, restores: [], lost: new Set<string>(), uncompared: new Set<string>() };
    return {
      ...buildRequests(api, url),
      ...restoreState,
      api,
      client: new Client({ connection }),
      worker,
      temporal,
      baseUrl,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function buildRequests(api: TestApi, url: string) {
  const identities = new Map<string, Set<string>>();
  const credentials = new Map<string, number>();
  const read = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T;
  const putFaults = async (faults: Fault[]) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/faults`, { method: 'PUT', headers, body: JSON.stringify(faults) });
    if (!answer.ok) throw new Error(`the sandbox refused the faults: ${await answer.text()}`);
  };
  return {
    identities,
    credentials,
    posts: () => read<SandboxPost[]>('/posts'),
    log: () => read<SandboxLogEntry[]>('/log'),
    addFault: async (fault: Fault) => putFaults([...(await read<Fault[]>('/faults')), fault]),
    clearFaults: () => putFaults([]),
    runGraphql: (query: string, variables: Record<string, unknown> = {}) =>
      runGraphql(api, api.author.id, query, variables),
    async connect({ destination, platform, path, credentials: secrets, account }: SandboxAccount) {
      const input = { destination, platform, baseUrl: `${url}${path}`, credentials: toFields(secrets) };
      // Clears the limit of ten tries per minute.
      await api.db.deleteFrom('rateCounters').execute();
      const answer = await runGraphql(api, api.author.id, CONNECT, { input });
      if (answer.code !== undefined) return answer;
      credentials.set(destination, (credentials.get(destination) ?? 0) + 1);
      const { identity } = await api.db
        .selectFrom('connections')
        .innerJoin('accounts', 'accounts.id', 'connections.accountId')
        .select('accounts.identity')
        .where('connections.userId', '=', api.author.id)
        .where('connections.destination', '=', destination)
        .executeTakeFirstOrThrow();
      const key = `${platform} ${identity}`;
      identities.set(key, (identities.get(key) ?? new Set()).add(account));
      return answer;
    },
  };
}
