/** Tests the effect of a refused digest on later digests. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { changeDigestSettings, findDigestSettings } from '../../../store/digests/settings.ts';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import {
  createDigestDesk,
  DATE,
  type DigestAuthor,
  type DigestDesk,
  MONDAY,
  NEXT_MONDAY,
} from '../../support/api/digest-desk.ts';
import { eventually } from '../../support/eventually.ts';

let world: DigestWorld;
let desk: DigestDesk;
before(async () => {
  world = await startDigestWorld();
  world.clock.now = MONDAY;
  desk = createDigestDesk(world);
});
after(() => world.close());
afterEach(() => {
  world.around.mail = (inner) => inner;
  world.smtp.onRecipient = () => null;
  world.smtp.onWhole = () => null;
});

test('a permanently refused address stops the digests and stores the reason for its author', async () => {
  const author = await desk.createDueAuthor();
  world.smtp.onRecipient = (address) => (address === author.email ? '550 5.1.1 no such user' : null);
  await desk.sweepAndWait(author);
  assert.equal(await desk.readState(author), 'refused');
  const settings = await findDigestSettings(world.db, author.id);
  assert.equal(settings?.nextDueAt, null);
  assert.equal(settings?.stoppedAt?.getTime(), MONDAY.getTime());
  assert.match(settings?.stoppedReason ?? '', /no such user/);
});

/** Runs the sweeps of these dates. */
async function sweepOn(author: { id: string }, ...dates: string[]): Promise<void> {
  try {
    for (const date of dates) {
      world.clock.now = new Date(`${date}T08:30:00Z`);
      await world.sweep();
      await world.waitForDigest(author.id, date);
    }
  } finally {
    world.clock.now = MONDAY;
  }
}

async function createAuthorWithEveryWeek(): Promise<DigestAuthor> {
  const author = await desk.createDueAuthor();
  const now = new Date('2026-11-20T00:00:00Z');
  await changeDigestSettings(world.db, { userId: author.id, change: { sendEmpty: true }, now });
  return author;
}

for (const refusal of [
  '552 5.2.2 mailbox full',
  '552 5.3.4 too big',
  '554 5.7.1 blocked using a list',
  '550 5.7.23 SPF',
] as const) {
  test(`a mailbox with the refusal “${refusal}” for weeks gets its digest when the server accepts it`, async () => {
    const author = await createAuthorWithEveryWeek();
    world.smtp.onRecipient = (address) => (address === author.email ? refusal : null);
    await sweepOn(author, DATE, '2026-11-30', '2026-12-07');
    assert.deepEqual([desk.listMails(author).length, await desk.readNextDue(author)], [0, '2026-12-14T08:00:00.000Z']);
    world.smtp.onRecipient = () => null;
    await sweepOn(author, '2026-12-14');
    assert.equal(desk.listMails(author).length, 1);
  });
}

test('a recipient refused without a code stops the digests only after a second refusal', async () => {
  const author = await createAuthorWithEveryWeek();
  world.smtp.onRecipient = (address) => (address === author.email ? 550 : null);
  await sweepOn(author, DATE);
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  // A delivered mail in between resets the count.
  world.smtp.onRecipient = () => null;
  await sweepOn(author, '2026-11-30');
  world.smtp.onRecipient = (address) => (address === author.email ? 550 : null);
  await sweepOn(author, '2026-12-07');
  assert.equal(await desk.readNextDue(author), '2026-12-14T08:00:00.000Z');
  await sweepOn(author, '2026-12-14');
  assert.equal(await desk.readNextDue(author), undefined);
  assert.match((await findDigestSettings(world.db, author.id))?.stoppedReason ?? '', /refused by the test/);
});

test('an author with a new address after a refusal gets the next digest there', async () => {
  const author = await createAuthorWithEveryWeek();
  world.smtp.onRecipient = (address) => (address === author.email ? '550 5.1.1 no such user' : null);
  await sweepOn(author, DATE);
  const email = `other-${author.email}`;
  await world.db.updateTable('users').set({ email }).where('id', '=', author.id).execute();
  assert.equal((await findDigestSettings(world.db, author.id))?.stoppedAt, null);
  // The due date follows the database's clock.
  const nextDueAt = new Date('2026-11-24T08:00:00Z');
  await world.db.updateTable('digestSettings').set({ nextDueAt }).where('userId', '=', author.id).execute();
  await sweepOn(author, '2026-11-24');
  assert.equal(desk.listMails({ email }).length, 1);
});

test('a refused message is not retried, and the next digest is due as usual', async () => {
  const author = await desk.createDueAuthor();
  world.smtp.onWhole = (address) => (address === author.email ? 554 : null);
  await desk.sweepAndWait(author);
  assert.equal(await desk.readState(author), 'refused');
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 1);
});

test('an address changed during a refusal of the former one gets the mail, and the digests continue', async () => {
  const author = await desk.createDueAuthor();
  const email = `new-${author.email}`;
  const held = Promise.withResolvers<'550 5.1.1 no such user'>();
  world.smtp.onRecipient = (address) => (address === author.email ? held.promise : null);
  await world.sweep();
  await eventually('the exchange to begin', async () => world.smtp.begun.includes(author.email));
  await world.db.updateTable('users').set({ email }).where('id', '=', author.id).execute();
  held.resolve('550 5.1.1 no such user');
  await world.waitForDigest(author.id, DATE);
  assert.deepEqual([desk.listMails({ email }).length, await desk.readState(author)], [1, 'sent']);
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
});
