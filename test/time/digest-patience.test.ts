/** A digest is retried for one day during which a worker runs. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Mailer } from '../../mail/mailer.ts';
import { type Database, openDatabase } from '../../store/db/database.ts';
import { changeDigestSettings } from '../../store/digests/settings.ts';
import { buildDigestWorkflowId } from '../../temporal/names.ts';
import { createSmtpMailer, runDigestWorker } from '../support/api/digest.ts';
import { addPerson } from '../support/api/readership.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { skip, startTimeMachine, type TimeMachine } from './support/time-machine.ts';

describe('an unreachable mail server', { skip }, () => {
  let machine: TimeMachine;
  let db: Database;
  let smtp: TestSmtpServer;
  let mail: Mailer;
  before(async () => {
    machine = await startTimeMachine();
    db = openDatabase(machine.database.url);
    smtp = await startSmtpServer();
    mail = createSmtpMailer(smtp.port);
  });
  after(async () => {
    await mail.close();
    await smtp.close();
    await db.destroy();
    await machine.close();
  });

  const startWorker = () => {
    const { client, nativeConnection: native } = machine.environment;
    return runDigestWorker({ db, client, taskQueue: 'digests', mail, now: machine.now, native });
  };

  /** Starts a digest that was due a moment ago, with the workflow of a sweep. */
  async function startDigest(): Promise<{ id: string; email: string; date: string }> {
    const now = machine.now();
    const id = await addPerson(db, 'Author', now);
    await changeDigestSettings(db, { userId: id, change: { sendEmpty: true, frequency: 'daily' }, now });
    await db.updateTable('digestSettings').set({ nextDueAt: now }).where('userId', '=', id).execute();
    const date = now.toISOString().slice(0, 10);
    await machine.environment.client.workflow.start('digestWorkflow', {
      taskQueue: 'digests',
      workflowId: buildDigestWorkflowId(id, date),
      args: [{ userId: id, date }],
    });
    const { email } = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    return { id, email, date };
  }

  const readDigest = (id: string) =>
    db.selectFrom('digests').select(['state', 'reason']).where('userId', '=', id).executeTakeFirst();

  test('a digest that the server rejected for a day fails with the response of the server', async () => {
    smtp.onRecipient = () => '451 4.3.2 come back later';
    const stop = await startWorker();
    try {
      const { id, email } = await startDigest();
      await machine.pass('23h');
      assert.equal((await readDigest(id))?.state, 'pending');
      await machine.pass('3h');
      const { state, reason } = (await readDigest(id)) ?? assert.fail();
      assert.equal(state, 'failed');
      assert.match(reason ?? '', /after retrying for a day.*come back later/);
      const attempts = smtp.begun.filter((address) => address === email).length;
      assert.ok(attempts > 90, String(attempts));
    } finally {
      await stop();
    }
  });
});
