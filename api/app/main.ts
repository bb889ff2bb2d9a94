/** The API process. Several may run over one database. */
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { MAX_DATABASE_CONNECTIONS } from '../../runtime/config/database.ts';
import { ConfigError } from '../../runtime/config/environment.ts';
import { serveMetrics } from '../../runtime/telemetry/serve-metrics.ts';
import { openDatabase } from '../../store/db/database.ts';
import { openImageStore } from '../../store/images/files/file-images.ts';
import { loadLinkKey } from '../../store/mail-links/links.ts';
import { loadUnsubscribeKey } from '../../store/mail-links/unsubscribe-token.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { loadRefreshKey } from '../../store/sessions/refresh-token.ts';
import { createLazyClient, loadTemporalConfig } from '../../temporal/connection.ts';
import { loadKeyRing } from '../auth/keys/key-ring.ts';
import { createSessions } from '../auth/sessions.ts';
import { createDerivingPool } from '../background/deriver.ts';
import { type ApiConfig, readApiConfig } from '../config.ts';
import { createDocumentPool } from '../documents/pool.ts';
import { API_LOG, BACKLOG, buildApp } from './app.ts';

try {
  await main(readApiConfig());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function main(config: ApiConfig): Promise<void> {
  const log = pino({ ...API_LOG, level: config.logLevel });
  const now = () => new Date();
  const db = openDatabase(config.databaseUrl, {
    maxConnections: MAX_DATABASE_CONNECTIONS.api,
    pooled: config.databasePooled,
    prepares: config.databasePrepares,
    onError: (error) => log.warn({ err: error }, 'idle database connection was lost'),
  });
  const keyRing = await loadKeyRing({ home: config.home, key: config.jwtKey });
  const sessions = createSessions(keyRing, { issuer: config.baseUrl, now });
  const secrets = { home: config.home, key: config.credentialsKey };
  const documents = createDocumentPool();
  const metrics = config.metrics && (await import('../plugins/telemetry/api-metrics.ts')).createApiMetrics();
  const metricsServer = metrics && (await serveMetrics(metrics.registry, config.metrics, log));
  const traces = config.tracesEndpoint
    ? (await import('../../runtime/telemetry/tracing.ts')).startTracing('courant-api', config.tracesEndpoint)
    : undefined;
  const tracing =
    traces &&
    (await import('../plugins/telemetry/api-tracing.ts')).createApiTracing({ continues: config.trustProxy !== false });
  const temporal = createLazyClient(loadTemporalConfig(), traces?.clientInterceptors);

  const app = await buildApp({
    ...{ config, db, documents, sessions, keyRing, log, now, tracing },
    workflowTarget: { client: temporal.client, taskQueue: config.taskQueue },
    sealer: await loadSealer(secrets),
    derivingDocuments: createDerivingPool(),
    unsubscribeKey: await loadUnsubscribeKey(secrets),
    linkKey: await loadLinkKey(secrets),
    refreshKey: await loadRefreshKey(secrets),
    images: openImageStore(config),
    metrics: metrics ?? undefined,
  });
  closeWithGrace({ delay: 8_000, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'api failed');
    await app.close();
    await Promise.all([documents.close(), db.destroy(), temporal.close(), metricsServer?.close(), traces?.stop()]);
    log.info('api stopped');
  });
  try {
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    log.info({ baseUrl: config.baseUrl }, 'api ready');
  } catch (error) {
    log.fatal({ err: error, port: config.port }, `the API cannot listen on port ${config.port} (PORT)`);
    process.exit(1);
  }
}
