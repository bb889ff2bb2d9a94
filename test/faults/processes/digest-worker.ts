/** A worker that sends digests, as a separate process for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { openDatabase } from '../../../store/db/database.ts';
import { createSmtpMailer, type DigestWorld, runDigestWorker } from '../../support/api/digest.ts';
import { connectToTemporal } from '../../support/delivery/connect-temporal.ts';
import { eventually } from '../../support/eventually.ts';

/** Resolves when the worker polls. `now`: the worker's fixed clock. */
export async function spawnDigestWorker(world: DigestWorld, now: Date): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DIGEST_DATABASE_URL: world.databaseUrl,
      DIGEST_TASK_QUEUE: world.taskQueue,
      DIGEST_SMTP_PORT: String(world.smtp.port),
      DIGEST_NOW: now.toISOString(),
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually('the worker to be ready', async () => output.includes('ready'), { withinMs: 240_000 });
  return child;
}

if (import.meta.main) {
  const { DIGEST_DATABASE_URL = '', DIGEST_TASK_QUEUE = '', DIGEST_SMTP_PORT = '', DIGEST_NOW = '' } = process.env;
  const connection = await connectToTemporal();
  await runDigestWorker({
    db: openDatabase(DIGEST_DATABASE_URL),
    client: new Client({ connection }),
    taskQueue: DIGEST_TASK_QUEUE,
    mail: createSmtpMailer(Number(DIGEST_SMTP_PORT)),
    now: () => new Date(DIGEST_NOW),
  });
  process.stdout.write('ready\n');
}
