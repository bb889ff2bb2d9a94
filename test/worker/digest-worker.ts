/** A worker that sends digests, as a process of its own: for tests that kill it. Everything comes by environment. */
import { Client, Connection } from '@temporalio/client';
import { openDatabase } from '../../store/database.ts';
import { runDigestWorker } from '../support/digest.ts';
import { temporalAddress } from '../support/environment.ts';
import { smtpMailer } from '../support/smtp-mailer.ts';

const { DIGEST_DATABASE_URL = '', DIGEST_TASK_QUEUE = '', DIGEST_SMTP_PORT = '', DIGEST_NOW = '' } = process.env;
const connection = await Connection.connect({ address: temporalAddress() });
await runDigestWorker({
  db: openDatabase(DIGEST_DATABASE_URL),
  client: new Client({ connection }),
  taskQueue: DIGEST_TASK_QUEUE,
  mail: smtpMailer(Number(DIGEST_SMTP_PORT)),
  now: () => new Date(DIGEST_NOW),
});
process.stdout.write('ready\n');
