/** Tests who gets a digest, and when. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { changeDigestSettings, turnOffDigest } from '../../../store/digests/settings.ts';
import { buildDigestWorkflowId } from '../../../temporal/names.ts';
import { type DigestWorld, startDigestWorld, waitForMails } from '../../support/api/digest.ts';
import { createDigestDesk, DATE, type DigestDesk, MONDAY, NEXT_MONDAY } from '../../support/api/digest-desk.ts';
import { deleteAccountOf } from '../../support/database/delete-account.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
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

test('every due author gets one mail after any number of sweeps, and nobody else gets one', async () => {
  const due = await Promise.all(Array.from({ length: 5 }, () => desk.createDueAuthor()));
  const [off, suspended, deleted, closed, later] = [
    await desk.createDueAuthor(),
    await desk.createDueAuthor(),
    await desk.createDueAuthor(),
    await desk.createDueAuthor(),
    await desk.createDueAuthor(),
  ];
  await turnOffDigest(world.db, off.id, MONDAY);
  await world.db.updateTable('users').set({ suspendedAt: MONDAY }).where('id', '=', suspended.id).execute();
  await world.db.deleteFrom('users').where('id', '=', deleted.id).execute();
  await deleteAccountOf(world.db, closed.id, MONDAY);
  await changeDigestSettings(world.db, {
    userId: later.id,
    change: { hour: 9 },
    now: new Date('2026-11-20T00:00:00Z'),
  });

  const answers = await Promise.all([world.sweep(), world.sweep()]);
  assert.ok(answers.every((answer) => /^\d+ digests started$/.test(answer)));
  await Promise.all(due.map(({ id }) => world.waitForDigest(id, DATE)));
  assert.equal(await world.sweep(), '0 digests started');
  for (const author of due) {
    const [mail, ...more] = desk.listMails(author);
    assert.equal(more.length, 0);
    assert.equal(mail?.parsed.messageId, `<digest.${author.id}.${DATE}@courant.example>`);
    const unsubscribe = mail?.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    assert.equal(unsubscribe, `<https://courant.example/digest/unsubscribe?token=token%20of%20${author.id}>`);
    assert.match(mail?.parsed.text ?? '', /^Views: +3 /m);
    assert.match(mail?.parsed.html ?? '', /<html.*>\s*3\s*</s);
    assert.equal(await desk.readState(author), 'sent');
    assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  }
  for (const author of [off, suspended, deleted, closed, later]) assert.deepEqual(desk.listMails(author), []);
});

test('an empty digest is not mailed, unless its author enabled empty digests', async () => {
  const [silent, wanting] = [await desk.createDueAuthor('Silent', 0), await desk.createDueAuthor('Wanting', 0)];
  const sendEmpty = { sendEmpty: true };
  await changeDigestSettings(world.db, {
    userId: wanting.id,
    change: sendEmpty,
    now: new Date('2026-11-20T00:00:00Z'),
  });
  await desk.sweepAndWait(silent, wanting);
  assert.deepEqual([await desk.readState(silent), desk.listMails(silent).length], ['skipped', 0]);
  assert.deepEqual([await desk.readState(wanting), desk.listMails(wanting).length], ['sent', 1]);
  assert.deepEqual([await desk.readNextDue(silent), await desk.readNextDue(wanting)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('line breaks in a name add no header and no second recipient (A21)', async () => {
  const author = await desk.createDueAuthor('Ada\r\nBcc: v@x.example\r\n\r\nHi');
  await desk.sweepAndWait(author);
  const [mail, ...more] = desk.listMails(author);
  assert.equal(more.length, 0);
  assert.deepEqual(mail?.parsed.bcc ?? [], []);
  assert.deepEqual(
    mail?.parsed.to?.map(({ address }) => address),
    [author.email],
  );
  assert.ok(!world.smtp.begun.includes('v@x.example'));
});

for (const [what, change, end] of [
  ['the account is deleted', (id: string) => world.db.deleteFrom('users').where('id', '=', id).execute(), undefined],
  ['the digest is turned off', (id: string) => turnOffDigest(world.db, id, MONDAY), 'skipped'],
  [
    'the account is suspended',
    (id: string) => world.db.updateTable('users').set({ suspendedAt: MONDAY }).where('id', '=', id).execute(),
    'skipped',
  ],
] as const) {
  test(`when ${what} during the exchange, the mail is not completed`, async () => {
    const author = await desk.createDueAuthor();
    const held = Promise.withResolvers<null>();
    world.smtp.onRecipient = (address) => (address === author.email ? held.promise : null);
    await world.sweep();
    await eventually('the exchange to begin', async () => world.smtp.begun.includes(author.email));
    await change(author.id);
    held.resolve(null);
    await world.waitForDigest(author.id, DATE);
    assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [0, end]);
  });
}

test('moving the hour to later on the same day causes no second mail that day', async () => {
  const author = await desk.createDueAuthor();
  await desk.sweepAndWait(author);
  await changeDigestSettings(world.db, { userId: author.id, change: { hour: 10 }, now: MONDAY });
  assert.equal(await desk.readNextDue(author), '2026-11-30T10:00:00.000Z');
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.equal(desk.listMails(author).length, 1);
  assert.equal(await desk.readNextDue(author), '2026-11-30T10:00:00.000Z');
});

test('a digest moved to a later hour after a sweep found it due is mailed at the new hour', async () => {
  const author = await desk.createDueAuthor();
  await changeDigestSettings(world.db, {
    userId: author.id,
    change: { hour: 10 },
    now: new Date('2026-11-23T07:00:00Z'),
  });
  // As a sweep at eight starts it.
  await world.client.workflow.execute('digestWorkflow', {
    taskQueue: world.taskQueue,
    workflowId: buildDigestWorkflowId(author.id, DATE),
    args: [{ userId: author.id, date: DATE }],
  });
  assert.equal(desk.listMails(author).length, 0);
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await desk.sweepAndWait(author);
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
  assert.equal(await desk.readNextDue(author), '2026-11-30T10:00:00.000Z');
});

test('the next sweep resumes a digest with a terminated workflow, and does not repeat a sent one', async () => {
  const [interrupted, sent] = [await desk.createDueAuthor(), await desk.createDueAuthor()];
  for (const [{ id: userId }, state] of [
    [interrupted, 'pending'],
    [sent, 'sent'],
  ] as const) {
    await world.db
      .insertInto('digests')
      .values({ userId, date: DATE, state, messageId: '<a@b>', dueAt: MONDAY, frequency: 'weekly', at: MONDAY })
      .execute();
    const taskQueue = `${world.taskQueue}-nobody`;
    const workflowId = buildDigestWorkflowId(userId, DATE);
    const args = [{ userId, date: DATE }];
    await (await world.client.workflow.start('digestWorkflow', { taskQueue, workflowId, args })).terminate();
  }
  await desk.sweepAndWait(interrupted, sent);
  assert.deepEqual([desk.listMails(interrupted).length, desk.listMails(sent).length], [1, 0]);
  assert.deepEqual([await desk.readNextDue(interrupted), await desk.readNextDue(sent)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('histories contain no address, name or mail, and every history replays', async () => {
  const author = await desk.createDueAuthor('A name that nobody else has');
  await desk.sweepAndWait(author);
  await waitForMails(world, 1);
  const histories = await assertHistoriesReplay(world.client, world.taskQueue, 11);
  const text = JSON.stringify(histories, (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  );
  assert.match(text, new RegExp(author.id));
  assert.doesNotMatch(text, /@example\.org|A name that nobody|token of/);
});
