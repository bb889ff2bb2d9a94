/** Starts the services of a digest: a database, a worker, and an SMTP server. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { renderDigest } from '../../../mail/digest/render.ts';
import type { Mailer } from '../../../mail/mailer.ts';
import { createMailer } from '../../../mail/smtp/smtp-mailer.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { signLink } from '../../../store/mail-links/links.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { buildDigestWorkflowId } from '../../../temporal/names.ts';
import { registerSearchAttributes } from '../../../temporal/visibility/search-attributes.ts';
import { createWorkers } from '../../../worker/create-worker.ts';
import { connectToTemporal } from '../delivery/connect-temporal.ts';
import { createTestDatabase, readTemporalAddress } from '../environment.ts';
import { eventually } from '../eventually.ts';
import { NO_IMPORTS } from '../no-imports.ts';
import { installQuietRuntime } from '../quiet-runtime.ts';
import { startSmtpServer, type TestSmtpServer } from '../smtp-server.ts';
import { buildTestBundle } from '../workflow-bundle.ts';

/** For workers of tests that send no mail. */
export const NO_MAIL: Pick<ActivityDeps, 'mail' | 'renderDigest' | 'signLink' | 'unsubscribeToken'> = {
  mail: {
    send: async () => ({ kind: 'unavailable', reason: 'this test has no mail server' }),
    close: async () => undefined,
  },
  renderDigest: async () => ({ subject: '', html: '', text: '' }),
  signLink: () => 'token',
  unsubscribeToken: () => 'token',
};

export interface DigestWorld {
  db: Database;
  databaseUrl: string;
  client: Client;
  taskQueue: string;
  smtp: TestSmtpServer;
  /** The clock of the activities; tests set it. */
  clock: { now: Date };
  /** Wraps the mailer, for tests that interrupt an exchange. */
  around: { mail: (inner: Mailer) => Mailer };
  /** Runs a sweep and waits for its end. */
  sweep(): Promise<string>;
  waitForDigest(userId: string, date: string): Promise<string>;
  readDigest(
    userId: string,
    date: string,
  ): Promise<{ state: string; reason: string | null; messageId: string } | undefined>;
  close(): Promise<void>;
}

export async function startDigestWorld(options: { worker?: boolean } = {}): Promise<DigestWorld> {
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const smtp = await startSmtpServer();
  const connection = await connectToTemporal();
  await registerSearchAttributes(connection, 'default');
  const client = new Client({ connection });
  const taskQueue = `digest-${randomBytes(6).toString('hex')}`;
  const clock = { now: new Date() };
  const around: DigestWorld['around'] = { mail: (inner) => inner };
  const direct = createSmtpMailer(smtp.port);
  const mail: Mailer = { ...direct, send: (message, more) => around.mail(direct).send(message, more) };
  const stop =
    options.worker === false
      ? async () => undefined
      : await runDigestWorker({ db, client, taskQueue, mail, now: () => clock.now });
  return {
    db,
    databaseUrl: database.url,
    client,
    taskQueue,
    smtp,
    clock,
    around,
    sweep: async () => {
      const workflowId = `sweep-${randomBytes(6).toString('hex')}`;
      return client.workflow.execute('digestSweepWorkflow', { taskQueue, workflowId, args: [] });
    },
    waitForDigest: (userId, date) => client.workflow.getHandle(buildDigestWorkflowId(userId, date)).result(),
    readDigest: (userId, date) =>
      db
        .selectFrom('digests')
        .select(['state', 'reason', 'messageId'])
        .where('userId', '=', userId)
        .where('date', '=', date)
        .executeTakeFirst(),
    async close() {
      await stop();
      await direct.close();
      await smtp.close();
      await connection.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** Creates the product's mailer, with enough connections for tests that interrupt many mails. */
export function createSmtpMailer(port: number): Mailer {
  const from = { name: 'Courant', address: 'digest@courant.example' };
  return createMailer({ url: `smtp://127.0.0.1:${port}`, from, now: () => new Date(), pool: { maxConnections: 30 } });
}

/** Returns a function that stops the worker. */
export async function runDigestWorker(options: {
  db: Database;
  client: Client;
  taskQueue: string;
  mail: Mailer;
  now: () => Date;
  /** The `linkKey` of the API that the links in mails refer to. */
  linkKey?: Buffer;
  baseUrl?: string;
  /** A connection to another server; the caller closes it. */
  native?: NativeConnection;
}): Promise<() => Promise<void>> {
  const { db, client, taskQueue, mail, now } = options;
  installQuietRuntime();
  const native = options.native ?? (await NativeConnection.connect({ address: readTemporalAddress() }));
  const worker = await createWorkers({
    native,
    namespace: 'default',
    bundlePath: await buildTestBundle(),
    deps: {
      db,
      sealer: await loadSealer({ home: tmpdir(), key: randomBytes(32).toString('base64') }),
      workflowTarget: { client, taskQueue },
      baseUrl: options.baseUrl ?? 'https://courant.example',
      findDestination: () => null,
      ...NO_IMPORTS,
      formats: { format: async () => 'busy', close: async () => undefined },
      allowPrivate: false,
      pacing: false,
      httpTimeoutMs: 1_000,
      lateArrivalMs: 1_000,
      mail,
      renderDigest,
      signLink: (link) => signLink(options.linkKey ?? randomBytes(32), link),
      unsubscribeToken: (userId) => `token of ${userId}`,
      now,
    },
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    if (!options.native) await native.close();
  };
}

/** Waits until the mail server has accepted `count` mails in total. */
export function waitForMails(world: Pick<DigestWorld, 'smtp'>, count: number, withinMs = 60_000): Promise<true> {
  return eventually(`${count} mails`, async () => world.smtp.mails.length >= count || null, { withinMs });
}
