/** Tests digests after a restore from a backup that is older than their mails. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { changeDigestSettings } from '../../../store/digests/settings.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../../worker/restore.ts';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import { createDigestDesk, DATE, type DigestDesk, MONDAY, NEXT_MONDAY } from '../../support/api/digest-desk.ts';
import { createBackup } from '../../support/database/backup.ts';
import { eventually } from '../../support/eventually.ts';

let world: DigestWorld;
let desk: DigestDesk;
before(async () => {
  world = await startDigestWorld();
  world.clock.now = MONDAY;
  desk = createDigestDesk(world);
});
after(() => world.close());

const restore = async () =>
  reconcileAfterRestore({
    db: world.db,
    sealer: await loadSealer({ home: '', key: randomBytes(32).toString('base64') }),
    baseUrl: 'https://courant.example',
    findDestination: () => null,
    allowPrivate: true,
    httpTimeoutMs: 1_000,
    now: () => world.clock.now,
  });

test('an author restored to before or during a digest gets no second mail, and the next digest as usual (F31)', async () => {
  const [due, begun] = [await desk.createDueAuthor('Due'), await desk.createDueAuthor('Begun')];
  await world.db
    .insertInto('digests')
    .values({ userId: begun.id, date: DATE, messageId: '<a@b>', dueAt: MONDAY, frequency: 'weekly', at: MONDAY })
    .execute();
  const backup = await createBackup(world.db);
  await desk.sweepAndWait(due, begun);
  await backup.restore();
  assert.deepEqual([await desk.readState(due), await desk.readState(begun)], [undefined, 'pending']);

  await restore();
  await restore();
  await world.sweep();
  for (const author of [due, begun]) {
    assert.equal(desk.listMails(author).length, 1);
    assert.equal(await desk.readState(author), 'unknown');
    assert.match((await world.readDigest(author.id, DATE))?.reason ?? '', /restored from a backup/);
    assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  }
  // The due date is calculated from the last digest.
  await changeDigestSettings(world.db, { userId: due.id, change: { hour: 7 }, now: MONDAY });
  assert.equal(await desk.readNextDue(due), '2026-11-30T07:00:00.000Z');
});

test('a digest due after the restore is mailed (F31)', async () => {
  world.clock.now = new Date('2026-11-23T07:00:00Z');
  const author = await desk.createDueAuthor('Later');
  await restore();
  world.clock.now = MONDAY;
  await world.sweep();
  await eventually('the mail', async () => desk.listMails(author).length === 1);
});
