/**
 * The worker process of a random walk: the worker of the product with shorter timeouts and platform
 * limits.
 */
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { createFormatPool } from '../../destinations/format/pool.ts';
import { openDatabase } from '../../store/db/database.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { createWorkers } from '../../worker/create-worker.ts';
import { wakeRestored } from '../../worker/wake-restored.ts';
import { NO_MAIL } from '../support/api/digest.ts';
import { NO_IMPORTS } from '../support/no-imports.ts';
import { buildTestBundle } from '../support/workflow-bundle.ts';
import { findQuickDestination, QUICK_TIMEOUTS } from './quick-destinations.ts';

const { DATABASE_URL = '', TEMPORAL_ADDRESS: address = '', TEMPORAL_TASK_QUEUE: taskQueue = '' } = process.env;
const { COURANT_HOME: home = '', BASE_URL: baseUrl = '', HTTP_TIMEOUT_MS } = process.env;

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const db = openDatabase(DATABASE_URL, { onError: () => undefined });
const formats = createFormatPool();
const bundlePath = await buildTestBundle();
const { connection, native } = await connectPatiently();
const client = new Client({ connection });
const workers = await createWorkers({
  native,
  namespace: 'default',
  bundlePath,
  deps: {
    db,
    sealer: await loadSealer({ home, key: undefined }),
    workflowTarget: { client, taskQueue },
    baseUrl,
    findDestination: findQuickDestination,
    formats,
    allowPrivate: true,
    pacing: false,
    ...QUICK_TIMEOUTS,
    ...(HTTP_TIMEOUT_MS && { httpTimeoutMs: Number(HTTP_TIMEOUT_MS) }),
    ...NO_IMPORTS,
    ...NO_MAIL,
    now: () => new Date(),
  },
});
const running = workers.run();
wakeRestored(db, { client, taskQueue }, new Date()).catch((error: unknown) =>
  process.stderr.write(`not woken after a restore: ${String(error)}\n`),
);
process.stdout.write('worker ready\n');
const closing = closeWithGrace({ delay: TIMEOUTS.stopMs, logger: false }, async () => {
  workers.shutdown();
  await running.catch(() => undefined);
  await Promise.all([db.destroy(), formats.close(), native.close(), connection.close()]);
});
// Like the worker of the product: if it ends by itself, the process ends and is restarted.
await running.catch((error: unknown) => process.stderr.write(`worker stopped unexpectedly: ${String(error)}\n`));
closing.close();

/** Temporal may be unreachable when the worker starts. */
async function connectPatiently(): Promise<{ connection: Connection; native: NativeConnection }> {
  for (;;) {
    try {
      const client = await Connection.connect({ address, connectTimeout: '2s' });
      return { connection: client, native: await NativeConnection.connect({ address }) };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
