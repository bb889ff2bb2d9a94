/**
 * Five weeks of digests across both clock changes in March: hourly sweeps, mails over SMTP, on a
 * server with a skipping clock.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Mailer } from '../../mail/mailer.ts';
import { type Database, openDatabase } from '../../store/db/database.ts';
import { changeDigestSettings } from '../../store/digests/settings.ts';
import { createSmtpMailer, runDigestWorker } from '../support/api/digest.ts';
import { addPerson } from '../support/api/readership.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { skip, startTimeMachine, type TimeMachine } from '../time/support/time-machine.ts';

const DAY_MS = 24 * 60 * 60_000;
const WEEKS = 5;
/** Zones with clock changes on different Sundays, or none. */
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata'];

describe('over five weeks', { skip }, () => {
  let machine: TimeMachine;
  let db: Database;
  let smtp: TestSmtpServer;
  let stop: () => Promise<void>;
  let mail: Mailer;
  before(async () => {
    machine = await startTimeMachine();
    db = openDatabase(machine.database.url);
    smtp = await startSmtpServer();
    mail = createSmtpMailer(smtp.port);
    const { client, nativeConnection: native } = machine.environment;
    stop = await runDigestWorker({ db, client, taskQueue: 'digests', mail, now: machine.now, native });
  });
  after(async () => {
    await stop();
    await mail.close();
    await smtp.close();
    await db.destroy();
    await machine.close();
  });

  test('every author gets one digest a week, on Monday at eight in the author’s zone', async () => {
    await machine.pass(nextMarch(machine.now()).getTime() - machine.now().getTime());
    const authors = await Promise.all(ZONES.map(addAuthor));
    // The test server has no Schedules. Sweeps run only on the days around Monday, to save time.
    await machine.environment.client.workflow.start('digestSweepWorkflow', {
      taskQueue: 'digests',
      workflowId: 'digest-sweep',
      cronSchedule: '0 * * * 0,1,2',
    });
    await machine.pass(WEEKS * 7 * DAY_MS);
    const digests = await db.selectFrom('digests').select(['userId', 'date', 'state', 'at']).execute();
    for (const { id, email, zone } of authors) {
      const authorDigests = digests.filter(({ userId }) => userId === id);
      assert.equal(authorDigests.length, WEEKS, `${zone}: ${JSON.stringify(authorDigests)}`);
      assert.equal(new Set(authorDigests.map(({ date }) => date)).size, WEEKS);
      assert.ok(authorDigests.every(({ state }) => state === 'sent'));
      assert.deepEqual(new Set(authorDigests.map(({ at }) => formatLocalHour(at, zone))), new Set(['Monday 08']), zone);
      assert.equal(smtp.mails.filter(({ to }) => to === email).length, WEEKS);
    }
    // Across a clock change, the time between two mails of the same author differs by an hour.
    const utcHours = digests.filter(({ userId }) => userId === authors[1]?.id).map(({ at }) => at.getUTCHours());
    assert.deepEqual(new Set(utcHours), new Set([12, 13]));
  });

  async function addAuthor(zone: string): Promise<{ id: string; email: string; zone: string }> {
    const now = machine.now();
    const id = await addPerson(db, `Author in ${zone}`, now);
    const change = { frequency: 'weekly', weekday: 1, hour: 8, zone, sendEmpty: true } as const;
    await changeDigestSettings(db, { userId: id, change, now });
    const { email } = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    return { id, email, zone };
  }

  function formatLocalHour(at: Date, zone: string): string {
    const format = { weekday: 'long', hour: '2-digit', hourCycle: 'h23', timeZone: zone } as const;
    return new Intl.DateTimeFormat('en', format).format(at).replace(',', '');
  }

  /** Returns the next 1 March. All clock changes of March are within the five weeks after it. */
  function nextMarch(now: Date): Date {
    const thisYear = new Date(Date.UTC(now.getUTCFullYear(), 2, 1));
    return thisYear > now ? thisYear : new Date(Date.UTC(now.getUTCFullYear() + 1, 2, 1));
  }
});
