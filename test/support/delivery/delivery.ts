/** Starts the services of a delivery: an API, a worker with its workflows, and the sandbox. */
import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { createFormatPool } from '../../../destinations/format/pool.ts';
import type { Platform } from '../../../destinations/types.ts';
import { renderDigest } from '../../../mail/digest/render.ts';
import { createFolderMailer } from '../../../mail/folder-mailer.ts';
import { buildSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/app.ts';
import { createConversionPool } from '../../../sources/conversion/pool.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import { signLink } from '../../../store/mail-links/links.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { registerSearchAttributes } from '../../../temporal/visibility/search-attributes.ts';
import { createWorkers } from '../../../worker/create-worker.ts';
import { ROWS } from '../../destinations/rows/index.ts';
import { startTestApi, type TestApi, type TestApiOptions, type TestAuthor } from '../api/api.ts';
import { NO_MAIL } from '../api/digest.ts';
import { readTemporalAddress } from '../environment.ts';
import { eventually } from '../eventually.ts';
import { listDeliveries } from '../list-deliveries.ts';
import { installQuietRuntime } from '../quiet-runtime.ts';
import { buildTestBundle } from '../workflow-bundle.ts';
import { connectToTemporal } from './connect-temporal.ts';

export interface LogEntry {
  platform: DestinationKey;
  action: 'create' | 'update' | 'withdraw';
  remoteId: string;
  canonicalUrl: string | null;
  title: string;
  at: string;
}

export interface Fault {
  platform: DestinationKey;
  action: 'create' | 'update' | 'withdraw' | 'find' | 'probe' | 'prepare' | 'any';
  times: number;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
  drop?: 'before' | 'after';
  saved?: boolean;
}

export interface DeliveryWorld {
  api: TestApi;
  sandboxUrl: string;
  client: Client;
  connect(
    author: TestAuthor,
    destination: DestinationKey,
    credentials?: Record<string, string>,
    platform?: Platform,
  ): Promise<{ id: string }>;
  /** The actions of the sandbox for the article with this title. */
  log(title: string): Promise<LogEntry[]>;
  faults(faults: Fault[]): Promise<void>;
  /** Resolves when this destination has `state` in the database. */
  reaches(articleId: string, destination: DestinationKey, state: string, withinMs?: number): Promise<DeliveryRow>;
  notifications(author: TestAuthor): Promise<{ type: string; payload: Record<string, unknown> }[]>;
  close(): Promise<void>;
}

type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

export interface DeliveryWorldOptions {
  api?: TestApiOptions;
  sandbox?: SandboxOptions;
  pacing?: boolean;
  /** False starts no worker, for tests that run it as a process. */
  worker?: boolean;
  /**
   * Dependencies of the worker: other adapters, clocks or timeouts. The creator of `formats` closes
   * it.
   */
  deps?: Partial<
    Pick<
      ActivityDeps,
      'findDestination' | 'formats' | 'now' | 'lateArrivalMs' | 'httpTimeoutMs' | 'images' | 'imagesLimit'
    >
  >;
  /** Whether mails are stored and shown at `/dev/mails`. By default none is sent. */
  mail?: boolean;
  /** Concurrent calls to destinations. */
  deliverySlots?: number;
  /** Another Temporal server with the search attributes. The caller closes it. */
  temporal?: { address: string; client: Client; connection: Connection; nativeConnection?: NativeConnection };
}

export async function startDeliveryWorld(options: DeliveryWorldOptions = {}): Promise<DeliveryWorld> {
  const { temporal } = options;
  const api = await startTestApi({ ...options.api, ...(temporal && { temporal: temporal.address }) });
  const baseUrl = `http://localhost:${new URL(api.url).port}`;
  const sandbox = await buildSandbox({ baseUrl, rateLimits: false, ...options.sandbox });
  const { url: sandboxUrl } = await sandbox.listen();
  const connection = temporal?.connection ?? (await connectToTemporal());
  if (!temporal) await registerSearchAttributes(connection, 'default');
  const client = temporal?.client ?? new Client({ connection });
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const stopWorker = options.worker === false ? async () => undefined : await runWorker(api, client, baseUrl, options);

  const world: DeliveryWorld = {
    api,
    sandboxUrl,
    client,
    connect(author, destination, credentials, platform) {
      const row = ROWS.find(
        ({ key, destination: { platform: name } }) => key === destination && name === (platform ?? name),
      );
      if (!row) throw new Error(`no stand-in for ${destination} ${platform ?? ''}`);
      return connectDestination(api.db, sealer, {
        userId: author.id,
        destination,
        platform: row.destination.platform,
        baseUrl: `${sandboxUrl}${row.path}`,
        credentials: credentials ?? row.credentials,
        account: { identity: author.id, name: null },
      });
    },
    async log(title) {
      const entries = (await (await fetch(`${sandboxUrl}/log`)).json()) as LogEntry[];
      return entries.filter((entry) => entry.title === title);
    },
    async faults(faults) {
      const response = await fetch(`${sandboxUrl}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      });
      if (!response.ok) throw new Error(`the sandbox refused the faults: ${await response.text()}`);
    },
    reaches: (articleId, destination, state, withinMs = 60_000) =>
      eventually(
        `${destination} to be ${state}`,
        async () => {
          const rows = await listDeliveries(api.db, articleId);
          return rows.find((row) => row.destination === destination && row.state === state);
        },
        { withinMs },
      ),
    async notifications(author) {
      const rows = await api.db
        .selectFrom('notifications')
        .select(['type', 'payload'])
        .where('userId', '=', author.id)
        .orderBy('number')
        .execute();
      return rows.map(({ type, payload }) => ({ type, payload: { ...payload } }));
    },
    async close() {
      await stopWorker();
      if (!temporal) await connection.close();
      await api.close();
      await closeSandbox(sandbox);
    },
  };
  return world;
}

async function runWorker(
  api: TestApi,
  client: Client,
  baseUrl: string,
  { pacing = false, deps = {}, temporal, deliverySlots, mail = false }: DeliveryWorldOptions,
): Promise<() => Promise<void>> {
  installQuietRuntime();
  const formats = createFormatPool();
  const conversions = createConversionPool();
  const address = temporal?.address ?? readTemporalAddress();
  const native = temporal?.nativeConnection ?? (await NativeConnection.connect({ address }));
  const worker = await createWorkers({
    native,
    namespace: 'default',
    bundlePath: await buildTestBundle(),
    deps: {
      db: api.db,
      sealer: await loadSealer({ home: api.home, key: undefined }),
      workflowTarget: { client, taskQueue: api.taskQueue },
      baseUrl,
      findDestination,
      formats,
      conversions,
      storageLimit: 100 * 1024 * 1024,
      images: createFileImages(join(api.home, 'images')),
      imagesLimit: 100 * 1024 * 1024,
      imagePausesMs: [100, 200, 300],
      allowPrivate: true,
      pacing,
      httpTimeoutMs: 3_000,
      lateArrivalMs: 1_000,
      ...(mail ? storeMails(api) : NO_MAIL),
      now: () => new Date(),
      ...deps,
    },
    ...(deliverySlots !== undefined && { deliverySlots }),
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await Promise.all([formats.close(), conversions.close(), temporal?.nativeConnection ? undefined : native.close()]);
  };
}

/** Uses the mailer that the product uses without an SMTP server. */
function storeMails({ home, accounts }: TestApi): typeof NO_MAIL {
  const from = { name: 'Courant', address: 'courant@localhost' };
  return {
    mail: createFolderMailer(join(home, 'mail'), { from, now: () => new Date() }),
    renderDigest,
    signLink: (link) => signLink(accounts.linkKey, link),
    unsubscribeToken: (userId) => `token of ${userId}`,
  };
}

async function closeSandbox(sandbox: Sandbox): Promise<void> {
  await sandbox.close();
}
