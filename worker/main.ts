/** The worker process: runs workflows and activities. Any number of workers may run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import closeWithGrace from 'close-with-grace';
import { type Logger, pino } from 'pino';
import { IMAGE_PAUSES_MS } from '../activities/import/copy-images.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { findDestination } from '../destinations/clients.ts';
import { createFormatPool } from '../destinations/format/pool.ts';
import { chooseMailer } from '../mail/choose-mailer.ts';
import { renderDigest } from '../mail/digest/render.ts';
import { MAX_DATABASE_CONNECTIONS } from '../runtime/config/database.ts';
import { ConfigError } from '../runtime/config/environment.ts';
import { serveMetrics } from '../runtime/telemetry/serve-metrics.ts';
import { createConversionPool } from '../sources/conversion/pool.ts';
import { openDatabase } from '../store/db/database.ts';
import { isDatabaseUnavailable } from '../store/db/pg-errors.ts';
import { openImageStore } from '../store/images/files/file-images.ts';
import { type ImageStore, ImageStoreError } from '../store/images/files/image-store.ts';
import { loadLinkKey, signLink } from '../store/mail-links/links.ts';
import { loadUnsubscribeKey, signUnsubscribe } from '../store/mail-links/unsubscribe-token.ts';
import { isRestoreUnfinished } from '../store/restores/restore.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { workflowBundle } from '../temporal/bundle/bundle.ts';
import { loadTemporalConfig } from '../temporal/connection.ts';
import { applySchedules } from '../temporal/schedules.ts';
import { readWorkerConfig, type WorkerConfig } from './config.ts';
import { connectWithRetries } from './connect-temporal.ts';
import { createWorkers } from './create-worker.ts';
import { installSdkRuntime } from './sdk-runtime.ts';
import { startSightings } from './sightings.ts';
import { wakeRestored } from './wake-restored.ts';

const ALIVE_FILE_MS = 2_000;

try {
  await main(readWorkerConfig());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function main(config: WorkerConfig): Promise<void> {
  const log = pino({ name: 'worker', level: config.logLevel });
  installSdkRuntime(log, config.temporalMetrics);
  if (config.aliveFile) startAliveFile(config.aliveFile, log);
  const now = () => new Date();
  const temporal = loadTemporalConfig();
  const db = openDatabase(config.databaseUrl, {
    maxConnections: MAX_DATABASE_CONNECTIONS.worker,
    pooled: config.databasePooled,
    prepares: config.databasePrepares,
    onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
  });
  if (await retryUntilAvailable(() => isRestoreUnfinished(db), log)) {
    log.fatal('a restore is unfinished: nothing is sent until `npm run restore` has finished');
    process.exit(1);
  }
  const metrics = config.metrics && (await import('./metrics/worker-metrics.ts')).createWorkerMetrics(db);
  const metricsServer = metrics && (await serveMetrics(metrics.registry, config.metrics, log));
  const sealer = await loadSealer({ home: config.home, key: config.credentialsKey });
  const unsubscribeKey = await loadUnsubscribeKey({ home: config.home, key: config.credentialsKey });
  const linkKey = await loadLinkKey({ home: config.home, key: config.credentialsKey });
  const mail = chooseMailer({ ...config, now });
  const formats = createFormatPool();
  const conversions = createConversionPool();
  const images = openImageStore(config);
  await checkImages(images, log);
  const traces = config.tracesEndpoint
    ? (await import('../runtime/telemetry/tracing.ts')).startTracing('courant-worker', config.tracesEndpoint)
    : undefined;
  const bundlePath = await workflowBundle(join(config.home, 'cache'), { isTraced: traces !== undefined });
  const createClient = (connection: Connection) =>
    new Client({
      connection,
      namespace: temporal.namespace,
      ...(traces && { interceptors: traces.clientInterceptors }),
    });
  const { connection, native } = await connectWithRetries(temporal, log, (candidate) =>
    applySchedules(createClient(candidate), config.taskQueue),
  );
  const client = createClient(connection);

  const workers = await createWorkers({
    native,
    namespace: temporal.namespace,
    bundlePath,
    activityInterceptors: [...(traces?.worker.activityInterceptors ?? []), ...(metrics?.activityInterceptors ?? [])],
    sinks: traces?.worker.sinks,
    deps: {
      db,
      sealer,
      workflowTarget: { client, taskQueue: config.taskQueue },
      baseUrl: config.baseUrl,
      findDestination,
      formats,
      conversions,
      storageLimit: config.maxStorageBytesPerAuthor,
      images,
      imagesLimit: config.maxImageBytesPerAuthor,
      imagePausesMs: IMAGE_PAUSES_MS,
      allowPrivate: config.allowPrivate,
      pacing: config.pacing,
      httpTimeoutMs: TIMEOUTS.httpMs,
      lateArrivalMs: config.lateArrivalMs,
      mail,
      renderDigest,
      signLink: (link) => signLink(linkKey, link),
      unsubscribeToken: (userId) => signUnsubscribe(unsubscribeKey, 'digest', userId),
      now,
    },
  });

  const running = workers.run();
  wakeRestored(db, { client, taskQueue: config.taskQueue }, now()).catch((error: unknown) =>
    log.error({ err: error }, 'could not wake the workflows that were waiting before a restore; restart the worker'),
  );
  const stopSightings = startSightings({ db, connection, log });
  log.info({ taskQueue: config.taskQueue }, 'worker ready');
  let stopping = false;
  const closing = closeWithGrace({ delay: TIMEOUTS.stopMs, logger: false }, async ({ err }) => {
    stopping = true;
    if (err) log.fatal({ err }, 'worker failed');
    workers.shutdown();
    await running.catch((error: unknown) => log.error({ err: error }, 'worker stopped with an error'));
    await stopSightings();
    await Promise.all([
      db.destroy(),
      formats.close(),
      conversions.close(),
      mail.close(),
      native.close(),
      connection.close(),
      metricsServer?.close(),
      traces?.stop(),
    ]);
    log.info('worker stopped');
  });
  // A worker that ends on its own (permanently refused by the server) ends the process, so that the
  // supervisor restarts it.
  await running.catch((error: unknown) => log.fatal({ err: error }, 'worker stopped unexpectedly'));
  if (!stopping) closing.close();
}

/** Detects wrong settings before the first import. An unavailable store is tolerated. */
async function checkImages(images: ImageStore, log: Logger): Promise<void> {
  try {
    await images.check();
  } catch (error) {
    if (!(error instanceof ImageStoreError)) throw error;
    if (!error.isPermanent) {
      log.warn({ reason: error.message }, 'the picture storage is unavailable; imports that copy pictures wait for it');
      return;
    }
    log.fatal(`${error.message} Check COURANT_HOME or the IMAGES_S3_… settings.`);
    process.exit(1);
  }
}

/** The database may start later than this process. */
async function retryUntilAvailable<T>(query: () => Promise<T>, log: Logger): Promise<T> {
  for (;;) {
    try {
      return await query();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.warn({ reason: (error as Error).message }, 'the database is unavailable; retrying');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** Rewrites a file every few seconds, by which a local supervisor detects a hanging process. */
function startAliveFile(file: string, log: Logger): void {
  const write = () =>
    writeFile(file, `${process.pid}\n`).catch((err: unknown) => log.warn({ err }, 'could not write the health file'));
  void write();
  setInterval(write, ALIVE_FILE_MS).unref();
}
