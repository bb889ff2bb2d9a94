/** Tests digests after a worker with a clock months ahead is corrected. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import { createDigestDesk, DATE, type DigestDesk, MONDAY, NEXT_MONDAY } from '../../support/api/digest-desk.ts';

let world: DigestWorld;
let desk: DigestDesk;
before(async () => {
  world = await startDigestWorld();
  desk = createDigestDesk(world);
});
after(() => world.close());

test('digests continue as usual after a clock that was months ahead is corrected', async () => {
  const author = await desk.createDueAuthor();
  await world.db.updateTable('digestSettings').set({ sendEmpty: true }).where('userId', '=', author.id).execute();
  world.clock.now = new Date('2027-06-15T08:30:00Z');
  await world.sweep();
  await world.waitForDigest(author.id, '2027-06-14');
  assert.equal(desk.listMails(author).length, 1);

  // An author with an unknown time zone does not stop the others.
  const broken = await desk.createDueAuthor();
  const far = { zone: 'Mars/Olympus', nextDueAt: new Date('2027-06-21T08:00:00Z') };
  await world.db.updateTable('digestSettings').set(far).where('userId', '=', broken.id).execute();
  world.clock.now = MONDAY;
  await desk.sweepAndWait(author);
  assert.equal(desk.listMails(author).length, 2);
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  await world.sweep();
  world.clock.now = new Date('2026-11-30T08:30:00Z');
  await world.sweep();
  await world.waitForDigest(author.id, '2026-11-30');
  assert.equal(desk.listMails(author).length, 3);
});

test('a clock set back by less than a day causes no second digest of that day', async () => {
  world.clock.now = MONDAY;
  const author = await desk.createDueAuthor();
  await desk.sweepAndWait(author);
  world.clock.now = new Date('2026-11-22T10:00:00Z');
  await world.sweep();
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  world.clock.now = MONDAY;
  await world.sweep();
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
  assert.equal((await world.readDigest(author.id, DATE))?.state, 'sent');
});
