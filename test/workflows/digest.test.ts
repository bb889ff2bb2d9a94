import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Mailer } from '../../mail/mailer.ts';
import { parseSmtpUrl } from '../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import { countReading } from '../../store/articles/count-reading.ts';
import { changeDigestSettings, findDigestSettings, turnOffDigest } from '../../store/digests/settings.ts';
import { buildDigestWorkflowId } from '../../temporal/names.ts';
import { type DigestWorld, startDigestWorld, waitForMails } from '../support/digest.ts';
import { eventually } from '../support/eventually.ts';
import { addArticle, addPerson } from '../support/readership.ts';
import { assertHistoriesReplay } from '../support/replay.ts';

const DATE = '2026-11-23';
const MONDAY = new Date('2026-11-23T08:30:00Z');
const NEXT_MONDAY = '2026-11-30T08:00:00.000Z';

let world: DigestWorld;
before(async () => {
  world = await startDigestWorld();
  world.clock.now = MONDAY;
});
after(() => world.close());
afterEach(() => {
  world.around.mail = (inner) => inner;
  world.smtp.onRecipient = () => null;
  world.smtp.onWhole = () => null;
});

/** An author whose digest is due on that Monday and is not empty. */
async function createDueAuthor(name = 'Due', views = 3): Promise<{ id: string; email: string }> {
  const id = await addPerson(world.db, name, new Date('2026-11-20T00:00:00Z'));
  const { id: articleId } = await addArticle(world.db, id);
  await countReading(world.db, { articleId, views, readingSeconds: 0, now: new Date('2026-11-18T00:00:00Z') });
  const { email } = await world.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, email };
}

const listMails = ({ email }: { email: string }) => world.smtp.mails.filter(({ to }) => to === email);
const readState = async ({ id }: { id: string }) => (await world.readDigest(id, DATE))?.state;
const readNextDue = async ({ id }: { id: string }) =>
  (await findDigestSettings(world.db, id))?.nextDueAt?.toISOString();

async function sweepAndWait(...authors: { id: string }[]): Promise<void> {
  await world.sweep();
  await Promise.all(authors.map(({ id }) => world.waitForDigest(id, DATE)));
}

test('every due author gets one mail, whatever the number of sweeps; nobody else gets any', async () => {
  const due = await Promise.all(Array.from({ length: 5 }, () => createDueAuthor()));
  const [off, suspended, deleted, later] = [
    await createDueAuthor(),
    await createDueAuthor(),
    await createDueAuthor(),
    await createDueAuthor(),
  ];
  await turnOffDigest(world.db, off.id, MONDAY);
  await world.db.updateTable('users').set({ suspendedAt: MONDAY }).where('id', '=', suspended.id).execute();
  await world.db.deleteFrom('users').where('id', '=', deleted.id).execute();
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
    const [mail, ...more] = listMails(author);
    assert.equal(more.length, 0);
    assert.equal(mail?.parsed.messageId, `<digest.${author.id}.${DATE}@courant.example>`);
    const unsubscribe = mail?.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    assert.equal(unsubscribe, `<https://courant.example/digest/unsubscribe?token=token%20of%20${author.id}>`);
    assert.match(mail?.parsed.text ?? '', /^Views: +3 /m);
    assert.match(mail?.parsed.html ?? '', /<html.*>\s*3\s*</s);
    assert.equal(await readState(author), 'sent');
    assert.equal(await readNextDue(author), NEXT_MONDAY);
  }
  for (const author of [off, suspended, deleted, later]) assert.deepEqual(listMails(author), []);
});

test('an empty digest is not mailed, unless its author asked for empty ones', async () => {
  const [silent, wanting] = [await createDueAuthor('Silent', 0), await createDueAuthor('Wanting', 0)];
  const sendEmpty = { sendEmpty: true };
  await changeDigestSettings(world.db, {
    userId: wanting.id,
    change: sendEmpty,
    now: new Date('2026-11-20T00:00:00Z'),
  });
  await sweepAndWait(silent, wanting);
  assert.deepEqual([await readState(silent), listMails(silent).length], ['skipped', 0]);
  assert.deepEqual([await readState(wanting), listMails(wanting).length], ['sent', 1]);
  assert.deepEqual([await readNextDue(silent), await readNextDue(wanting)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('line breaks in a name make no header and no second recipient (A21)', async () => {
  const author = await createDueAuthor('Ada\r\nBcc: v@x.example\r\n\r\nHi');
  await sweepAndWait(author);
  const [mail, ...more] = listMails(author);
  assert.equal(more.length, 0);
  assert.deepEqual(mail?.parsed.bcc ?? [], []);
  assert.deepEqual(
    mail?.parsed.to?.map(({ address }) => address),
    [author.email],
  );
  assert.ok(!world.smtp.begun.includes('v@x.example'));
});

/** Fails once at this point of sending, without recording anything, as a killed process does. */
function failOnce(point: 'before the exchange' | 'before the mark' | 'after the mark' | 'after the answer') {
  let hasFailed = false;
  const crash = () => {
    hasFailed = true;
    throw new Error('killed here');
  };
  world.around.mail = (inner: Mailer) => ({
    ...inner,
    async send(mail, options) {
      if (hasFailed) return inner.send(mail, options);
      if (point === 'before the exchange') crash();
      const beforeLastByte = async () => {
        if (point === 'before the mark') crash();
        await options.beforeLastByte();
        if (point === 'after the mark') crash();
      };
      const outcome = await inner.send(mail, { ...options, beforeLastByte });
      if (hasFailed || point === 'after the answer') crash();
      return outcome;
    },
  });
}

for (const [point, mails, state] of [
  ['before the exchange', 1, 'sent'],
  ['before the mark', 1, 'sent'],
  ['after the mark', 0, 'unknown'],
  ['after the answer', 1, 'unknown'],
] as const) {
  test(`a worker that is lost ${point}: ${mails} mail, never two, and its row says ${state} (F25)`, async () => {
    const author = await createDueAuthor();
    failOnce(point);
    await sweepAndWait(author);
    assert.equal(await world.sweep(), '0 digests started');
    assert.deepEqual([listMails(author).length, await readState(author)], [mails, state]);
    assert.equal(await readNextDue(author), NEXT_MONDAY);
  });
}

test('an exchange that ends while the mark is written, before the end of the mail, is repeated', async () => {
  const author = await createDueAuthor();
  let hasFailed = false;
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      if (hasFailed) return inner.send(mail, options);
      hasFailed = true;
      options.beforeLastByte().catch(() => undefined);
      return { kind: 'unavailable', reason: 'the server went away' };
    },
  });
  await sweepAndWait(author);
  assert.deepEqual([listMails(author).length, await readState(author)], [1, 'sent']);
});

/** The table is away for a moment, as a database is that fails over. */
async function hideTable(): Promise<void> {
  await sql`alter table digest_settings rename to hidden_settings`.execute(world.db);
  setTimeout(() => void sql`alter table hidden_settings rename to digest_settings`.execute(world.db), 700);
}

test('a mail that was accepted while the database is away is recorded as sent, not as unknown (F25)', async () => {
  const author = await createDueAuthor();
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      const outcome = await inner.send(mail, options);
      await hideTable();
      return outcome;
    },
  });
  await sweepAndWait(author);
  assert.deepEqual([listMails(author).length, await readState(author)], [1, 'sent']);
  assert.equal(await readNextDue(author), NEXT_MONDAY);
});

test('a mail that is deferred while the database is away is sent later, and not given up as unknown (F25)', async () => {
  const author = await createDueAuthor();
  let hasFailed = false;
  world.smtp.onWhole = () => (hasFailed ? null : 452);
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      const outcome = await inner.send(mail, options);
      if (!hasFailed) await sql`alter table digests rename to hidden`.execute(world.db);
      if (!hasFailed) setTimeout(() => void sql`alter table hidden rename to digests`.execute(world.db), 700);
      hasFailed = true;
      return outcome;
    },
  });
  await sweepAndWait(author);
  assert.deepEqual([listMails(author).length, await readState(author)], [1, 'sent']);
});

test('an address that is changed while its server refuses the former one: the mail goes to the new one, and nothing stops', async () => {
  const author = await createDueAuthor();
  const email = `new-${author.email}`;
  const held = Promise.withResolvers<'550 5.1.1 no such user'>();
  world.smtp.onRecipient = (address) => (address === author.email ? held.promise : null);
  await world.sweep();
  await eventually('the exchange to begin', async () => world.smtp.begun.includes(author.email));
  await world.db.updateTable('users').set({ email }).where('id', '=', author.id).execute();
  held.resolve('550 5.1.1 no such user');
  await world.waitForDigest(author.id, DATE);
  assert.deepEqual([listMails({ email }).length, await readState(author)], [1, 'sent']);
  assert.equal(await readNextDue(author), NEXT_MONDAY);
});

test('an exchange may take as long as a mail server may, before Temporal counts it as lost', async () => {
  const author = await createDueAuthor();
  await sweepAndWait(author);
  const history = await world.client.workflow.getHandle(buildDigestWorkflowId(author.id, DATE)).fetchHistory();
  const [sending] = (history.events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const server = parseSmtpUrl('smtp://mail.example') ?? assert.fail();
  const { connectionTimeout = 0, greetingTimeout = 0, dnsTimeout = 0, socketTimeout = 0 } = buildPoolOptions(server);
  const longestMs = dnsTimeout + connectionTimeout + greetingTimeout + socketTimeout;
  assert.ok(readSeconds(sending?.startToCloseTimeout) * 1_000 > longestMs, `${longestMs} ms`);
});

test('a mail that the server defers, at its recipient or at its end, is sent again until the server takes it', async () => {
  const author = await createDueAuthor();
  let [early, late] = [1, 1];
  world.smtp.onRecipient = () => (early-- > 0 ? 451 : null);
  world.smtp.onWhole = () => (late-- > 0 ? 452 : null);
  await sweepAndWait(author);
  assert.deepEqual([listMails(author).length, await readState(author)], [1, 'sent']);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 3);
});

test('a digest is given up after a day of attempts, not after a day without a worker to make them', async () => {
  const author = await createDueAuthor();
  await sweepAndWait(author);
  const history = await world.client.workflow.getHandle(buildDigestWorkflowId(author.id, DATE)).fetchHistory();
  const [sending, ...more] = (history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes ?? [],
  );
  assert.deepEqual([sending?.activityType?.name, more.length], ['sendDigest', 0]);
  // Limits by the clock pass while nobody is there; zero is none.
  assert.equal(readSeconds(sending?.scheduleToCloseTimeout), 0);
  assert.equal(readSeconds(sending?.scheduleToStartTimeout), 0);
  const { maximumAttempts = 0, backoffCoefficient = 1, initialInterval, maximumInterval } = sending?.retryPolicy ?? {};
  let [pause, total] = [readSeconds(initialInterval), 0];
  for (let attempt = 1; attempt < (maximumAttempts ?? 0); attempt++) {
    total += pause;
    pause = Math.min(pause * (backoffCoefficient ?? 1), readSeconds(maximumInterval));
  }
  assert.ok(total >= 24 * 3_600 && total < 26 * 3_600, `${maximumAttempts} attempts take ${total} s`);
});

const readSeconds = (duration: { seconds?: unknown } | null | undefined) => Number(duration?.seconds ?? 0);

test('an address that is permanently refused stops the digest, and its author can read why', async () => {
  const author = await createDueAuthor();
  world.smtp.onRecipient = (address) => (address === author.email ? '550 5.1.1 no such user' : null);
  await sweepAndWait(author);
  assert.equal(await readState(author), 'refused');
  const settings = await findDigestSettings(world.db, author.id);
  assert.equal(settings?.nextDueAt, null);
  assert.equal(settings?.stoppedAt?.getTime(), MONDAY.getTime());
  assert.match(settings?.stoppedReason ?? '', /no such user/);
});

/** The digests of this and the next Mondays, as the weeks go by. */
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

async function createAuthorWithEveryWeek(): Promise<{ id: string; email: string }> {
  const author = await createDueAuthor();
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
  test(`a mailbox whose server says “${refusal}” for weeks gets its digest once the server takes it`, async () => {
    const author = await createAuthorWithEveryWeek();
    world.smtp.onRecipient = (address) => (address === author.email ? refusal : null);
    await sweepOn(author, DATE, '2026-11-30', '2026-12-07');
    assert.deepEqual([listMails(author).length, await readNextDue(author)], [0, '2026-12-14T08:00:00.000Z']);
    world.smtp.onRecipient = () => null;
    await sweepOn(author, '2026-12-14');
    assert.equal(listMails(author).length, 1);
  });
}

test('a recipient that is refused without a code stops the digests when the next one is refused too', async () => {
  const author = await createAuthorWithEveryWeek();
  world.smtp.onRecipient = (address) => (address === author.email ? 550 : null);
  await sweepOn(author, DATE);
  assert.equal(await readNextDue(author), NEXT_MONDAY);
  // A mail that arrives in between starts the count again.
  world.smtp.onRecipient = () => null;
  await sweepOn(author, '2026-11-30');
  world.smtp.onRecipient = (address) => (address === author.email ? 550 : null);
  await sweepOn(author, '2026-12-07');
  assert.equal(await readNextDue(author), '2026-12-14T08:00:00.000Z');
  await sweepOn(author, '2026-12-14');
  assert.equal(await readNextDue(author), undefined);
  assert.match((await findDigestSettings(world.db, author.id))?.stoppedReason ?? '', /refused by the test/);
});

test('an author whose address was refused and who has another one gets the next digest there', async () => {
  const author = await createAuthorWithEveryWeek();
  world.smtp.onRecipient = (address) => (address === author.email ? '550 5.1.1 no such user' : null);
  await sweepOn(author, DATE);
  const email = `other-${author.email}`;
  await world.db.updateTable('users').set({ email }).where('id', '=', author.id).execute();
  assert.equal((await findDigestSettings(world.db, author.id))?.stoppedAt, null);
  // The due moment is that of the database's clock.
  const nextDueAt = new Date('2026-11-24T08:00:00Z');
  await world.db.updateTable('digestSettings').set({ nextDueAt }).where('userId', '=', author.id).execute();
  await sweepOn(author, '2026-11-24');
  assert.equal(listMails({ email }).length, 1);
});

test('a message that is refused is not retried, and the next digest is due as usual', async () => {
  const author = await createDueAuthor();
  world.smtp.onWhole = (address) => (address === author.email ? 554 : null);
  await sweepAndWait(author);
  assert.equal(await readState(author), 'refused');
  assert.equal(await readNextDue(author), NEXT_MONDAY);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 1);
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
    const author = await createDueAuthor();
    const held = Promise.withResolvers<null>();
    world.smtp.onRecipient = (address) => (address === author.email ? held.promise : null);
    await world.sweep();
    await eventually('the exchange to begin', async () => world.smtp.begun.includes(author.email));
    await change(author.id);
    held.resolve(null);
    await world.waitForDigest(author.id, DATE);
    assert.deepEqual([listMails(author).length, await readState(author)], [0, end]);
  });
}

test('moving the hour to later on the same day brings no second mail that day', async () => {
  const author = await createDueAuthor();
  await sweepAndWait(author);
  await changeDigestSettings(world.db, { userId: author.id, change: { hour: 10 }, now: MONDAY });
  assert.equal(await readNextDue(author), '2026-11-30T10:00:00.000Z');
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.equal(listMails(author).length, 1);
  assert.equal(await readNextDue(author), '2026-11-30T10:00:00.000Z');
});

test('moving the hour after a sweep found the digest due brings the mail at the new hour', async () => {
  const author = await createDueAuthor();
  await changeDigestSettings(world.db, {
    userId: author.id,
    change: { hour: 10 },
    now: new Date('2026-11-23T07:00:00Z'),
  });
  // The workflow that a sweep at eight would have started.
  await world.client.workflow.execute('digestWorkflow', {
    taskQueue: world.taskQueue,
    workflowId: buildDigestWorkflowId(author.id, DATE),
    args: [{ userId: author.id, date: DATE }],
  });
  assert.equal(listMails(author).length, 0);
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await sweepAndWait(author);
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.deepEqual([listMails(author).length, await readState(author)], [1, 'sent']);
  assert.equal(await readNextDue(author), '2026-11-30T10:00:00.000Z');
});

test('the next sweep resumes a digest whose workflow was terminated, and does not repeat one that was sent', async () => {
  const [interrupted, sent] = [await createDueAuthor(), await createDueAuthor()];
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
  await sweepAndWait(interrupted, sent);
  assert.deepEqual([listMails(interrupted).length, listMails(sent).length], [1, 0]);
  assert.deepEqual([await readNextDue(interrupted), await readNextDue(sent)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('histories hold no address, no name and no mail, and every history replays', async () => {
  const author = await createDueAuthor('A name that nobody else has');
  await sweepAndWait(author);
  await waitForMails(world, 1);
  const histories = await assertHistoriesReplay(world.client, world.taskQueue, 11);
  const text = JSON.stringify(histories, (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  );
  assert.match(text, new RegExp(author.id));
  assert.doesNotMatch(text, /@example\.org|A name that nobody|token of/);
});
