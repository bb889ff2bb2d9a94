/**
 * `npm run restore`: run it after a database restore, before a worker starts. See
 * docs/restoring.md.
 */
import { pino } from 'pino';
import { ConfigError } from '../config/environment.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { findDestination } from '../destinations/registry.ts';
import { openDatabase } from '../store/db/database.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { readWorkerConfig } from './config.ts';
import { type RestoreFinding, reconcileAfterRestore } from './restore.ts';

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const config = readWorkerConfig();
  const log = pino({ name: 'restore', level: config.logLevel });
  const db = openDatabase(config.databaseDirectUrl, {
    onError: (err) => log.warn({ err }, 'idle database connection broke'),
  });
  try {
    const sealer = await loadSealer({ home: config.home, key: config.credentialsKey });
    const { baseUrl, allowPrivate } = config;
    const deps = { db, sealer, baseUrl, allowPrivate, findDestination, httpTimeoutMs: TIMEOUTS.httpMs };
    const { reports, passedOverDigests, endedSessions } = await reconcileAfterRestore({
      ...deps,
      now: () => new Date(),
    });
    for (const { delivery, finding } of reports) {
      if (finding.kind === 'same') continue;
      console.log(`${delivery.destination}  ${delivery.articleId}  “${delivery.title}”: ${describe(finding)}`);
    }
    if (passedOverDigests > 0) {
      console.log(`${passedOverDigests} digests may have been mailed after the backup, and are not sent again.`);
    }
    if (endedSessions > 0) {
      console.log(
        `${endedSessions} sessions were ended: some may have been ended after the backup. People sign in again.`,
      );
    }
    const differing = reports.filter(({ finding }) => finding.kind !== 'same').length;
    console.log(
      `Compared ${reports.length} deliveries with their destinations; ${differing} differed. Workers may be started.`,
    );
  } finally {
    await db.destroy();
  }
}

function describe(finding: RestoreFinding): string {
  switch (finding.kind) {
    case 'adopted':
      return `was made after the backup: ${finding.url} belongs to it again`;
    case 'not public':
      return `stands at ${finding.url}, though the article is not public in the backup; it is left as it is, and its author has a notice`;
    case 'asked author':
      return 'may have been made after the backup, and the platform cannot be asked: its author was';
    case 'gone':
      return `the post at ${finding.url} is not there any more`;
    case 'changed':
      return `the post at ${finding.url} was changed after the backup; it is left as it is until its author overwrites it`;
    case 'another post':
      return `another post stands in its place: ${finding.url}`;
    case 'not checked':
      return `was not checked (${finding.why}); it is looked up before anything is made there`;
    case 'same':
      return 'as the ledger says';
  }
}
