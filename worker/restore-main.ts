/**
 * `npm run restore`: after a database restore, before a worker starts. See
 * docs/self-hosting/backup.md.
 */
import { pino } from 'pino';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { findDestination } from '../destinations/clients.ts';
import { ConfigError } from '../runtime/config/environment.ts';
import { openDatabase } from '../store/db/database.ts';
import { refuseEarlierSchema } from '../store/db/migration-names.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { readWorkerConfig } from './config.ts';
import { describeFinding, reconcileAfterRestore } from './restore.ts';

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const config = readWorkerConfig();
  const log = pino({ name: 'restore', level: config.logLevel });
  await refuseEarlierSchema(config.databaseDirectUrl);
  const db = openDatabase(config.databaseDirectUrl, {
    onError: (err) => log.warn({ err }, 'an idle database connection failed'),
  });
  try {
    const sealer = await loadSealer({ home: config.home, key: config.credentialsKey });
    const { baseUrl, allowPrivate } = config;
    const deps = { db, sealer, baseUrl, allowPrivate, findDestination, httpTimeoutMs: TIMEOUTS.httpMs };
    const { reports, closedDigests, endedSessions } = await reconcileAfterRestore({
      ...deps,
      now: () => new Date(),
    });
    for (const { delivery, finding } of reports) {
      if (finding.kind === 'same') continue;
      console.log(`${delivery.destination}  ${delivery.articleId}  “${delivery.title}”: ${describeFinding(finding)}`);
    }
    if (closedDigests > 0) {
      console.log(`${closedDigests} digests may have been sent after the backup. They are not sent again.`);
    }
    if (endedSessions > 0) {
      console.log(
        `Ended ${endedSessions} sessions, because some may have been ended after the backup. People need to sign in again.`,
      );
    }
    const differing = reports.filter(({ finding }) => finding.kind !== 'same').length;
    console.log(
      `Compared ${reports.length} deliveries with their destinations; ${differing} differed. You can start the workers.`,
    );
  } finally {
    await db.destroy();
  }
}
