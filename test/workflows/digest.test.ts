import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { Worker } from '@temporalio/worker';
import type { Mailer } from '../../mail/mailer.ts';
import { countReading } from '../../store/articles/count-reading.ts';
import { changeDigestSettings, findDigestSettings, turnOffDigest } from '../../store/digests/settings.ts';
import { workflowBundle } from '../../temporal/bundle.ts';
import { digestWorkflowId } from '../../temporal/names.ts';
import { type DigestWorld, mailsArrive, startDigestWorld } from '../support/digest.ts';
import { eventually } from '../support/eventually.ts';
import { addArticle, addPerson } from '../support/readership.ts';

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

/** An author whose digest is due on that Monday and has something to say. */
async function dueAuthor(name = 'Due', views = 3): Promise<{ id: string; email: string }> {
  const id = await addPerson(world.db, name, new Date('2026-11-20T00:00:00Z'));
  const { id: articleId } = await addArticle(world.db, id);
  await countReading(world.db, { articleId, views, readingSeconds: 0, now: new Date('2026-11-18T00:00:00Z') });
  const { email } = await world.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, email };
}

const mailsOf = ({ email }: { email: string }) => world.smtp.mails.filter(({ to }) => to === email);
const stateOf = async ({ id }: { id: string }) => (await world.digest(id, DATE))?.state;
const dueOf = async ({ id }: { id: string }) => (await findDigestSettings(world.db, id))?.nextDueAt?.toISOString();

async function sweepAndWait(...authors: { id: string }[]): Promise<void> {
  await world.sweep();
  await Promise.all(authors.map(({ id }) => world.digestEnds(id, DATE)));
}

test('every due author gets one mail, by any number of sweeps; nobody else gets any', async () => {
  const due = await Promise.all(Array.from({ length: 5 }, () => dueAuthor()));
  const [off, suspended, deleted, later] = [await dueAuthor(), await dueAuthor(), await dueAuthor(), await dueAuthor()];
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
  await Promise.all(due.map(({ id }) => world.digestEnds(id, DATE)));
  assert.equal(await world.sweep(), '0 digests started');
  for (const author of due) {
    const [mail, ...more] = mailsOf(author);
    assert.equal(more.length, 0);
    assert.equal(mail?.parsed.messageId, `<digest.${author.id}.${DATE}@courant.example>`);
    const unsubscribe = mail?.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    assert.equal(unsubscribe, `<https://courant.example/digest/unsubscribe?token=token%20of%20${author.id}>`);
    assert.match(mail?.parsed.text ?? '', /^Views: +3 /m);
    assert.match(mail?.parsed.html ?? '', /<html.*>\s*3\s*</s);
    assert.equal(await stateOf(author), 'sent');
    assert.equal(await dueOf(author), NEXT_MONDAY);
  }
  for (const author of [off, suspended, deleted, later]) assert.deepEqual(mailsOf(author), []);
});

test('with nothing to say there is no mail, unless its author wants one all the same', async () => {
  const [silent, wanting] = [await dueAuthor('Silent', 0), await dueAuthor('Wanting', 0)];
  const sendEmpty = { sendEmpty: true };
  await changeDigestSettings(world.db, {
    userId: wanting.id,
    change: sendEmpty,
    now: new Date('2026-11-20T00:00:00Z'),
  });
  await sweepAndWait(silent, wanting);
  assert.deepEqual([await stateOf(silent), mailsOf(silent).length], ['skipped', 0]);
  assert.deepEqual([await stateOf(wanting), mailsOf(wanting).length], ['sent', 1]);
  assert.deepEqual([await dueOf(silent), await dueOf(wanting)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('A21: line breaks in a name make no header, and no second recipient', async () => {
  const author = await dueAuthor('Ada\r\nBcc: v@x.example\r\n\r\nHi');
  await sweepAndWait(author);
  const [mail, ...more] = mailsOf(author);
  assert.equal(more.length, 0);
  assert.deepEqual(mail?.parsed.bcc ?? [], []);
  assert.deepEqual(
    mail?.parsed.to?.map(({ address }) => address),
    [author.email],
  );
  assert.ok(!world.smtp.begun.includes('v@x.example'));
});

/** Breaks off once, at a point in the middle of sending, without a word to anybody: as a killed process does. */
function breakOnce(point: 'before' | 'before the mark' | 'after the mark' | 'after it was taken') {
  let broken = false;
  const crash = () => {
    broken = true;
    throw new Error('killed here');
  };
  world.around.mail = (inner: Mailer) => ({
    ...inner,
    async send(mail, options) {
      if (broken) return inner.send(mail, options);
      if (point === 'before') crash();
      const beforeLastByte = async () => {
        if (point === 'before the mark') crash();
        await options.beforeLastByte();
        if (point === 'after the mark') crash();
      };
      const outcome = await inner.send(mail, { ...options, beforeLastByte });
      if (broken || point === 'after it was taken') crash();
      return outcome;
    },
  });
}

for (const [point, mails, state] of [
  ['before', 1, 'sent'],
  ['before the mark', 1, 'sent'],
  ['after the mark', 0, 'unknown'],
  ['after it was taken', 1, 'unknown'],
] as const) {
  test(`F25: broken off ${point}: ${mails} mail, never two, and its row says ${state}`, async () => {
    const author = await dueAuthor();
    breakOnce(point);
    await sweepAndWait(author);
    assert.equal(await world.sweep(), '0 digests started');
    assert.deepEqual([mailsOf(author).length, await stateOf(author)], [mails, state]);
    assert.equal(await dueOf(author), NEXT_MONDAY);
  });
}

test('an exchange that ends while the mark is being made, without the end of the mail, is made again', async () => {
  const author = await dueAuthor();
  let broken = false;
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      if (broken) return inner.send(mail, options);
      broken = true;
      options.beforeLastByte().catch(() => undefined);
      return { kind: 'unavailable', reason: 'the server went away' };
    },
  });
  await sweepAndWait(author);
  assert.deepEqual([mailsOf(author).length, await stateOf(author)], [1, 'sent']);
});

test('a mail server that is away, or says later, even to the whole mail, gets it again until it takes it', async () => {
  const author = await dueAuthor();
  let [early, late] = [1, 1];
  world.smtp.onRecipient = () => (early-- > 0 ? 451 : null);
  world.smtp.onWhole = () => (late-- > 0 ? 452 : null);
  await sweepAndWait(author);
  assert.deepEqual([mailsOf(author).length, await stateOf(author)], [1, 'sent']);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 3);
});

test('an address that is refused for good stops the digest, and its author can read why', async () => {
  const author = await dueAuthor();
  world.smtp.onRecipient = (address) => (address === author.email ? 550 : null);
  await sweepAndWait(author);
  assert.equal(await stateOf(author), 'refused');
  const settings = await findDigestSettings(world.db, author.id);
  assert.equal(settings?.nextDueAt, null);
  assert.equal(settings?.stoppedAt?.getTime(), MONDAY.getTime());
  assert.match(settings?.stoppedReason ?? '', /said by the test/);
});

test('a message that is refused is not tried again, and the next one comes', async () => {
  const author = await dueAuthor();
  world.smtp.onWhole = (address) => (address === author.email ? 554 : null);
  await sweepAndWait(author);
  assert.equal(await stateOf(author), 'refused');
  assert.equal(await dueOf(author), NEXT_MONDAY);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 1);
});

for (const [what, change, end] of [
  ['deleted', (id: string) => world.db.deleteFrom('users').where('id', '=', id).execute(), undefined],
  ['turned off', (id: string) => turnOffDigest(world.db, id, MONDAY), 'skipped'],
  [
    'suspended',
    (id: string) => world.db.updateTable('users').set({ suspendedAt: MONDAY }).where('id', '=', id).execute(),
    'skipped',
  ],
] as const) {
  test(`${what} while the mail is half-way out, its end is not sent`, async () => {
    const author = await dueAuthor();
    const held = Promise.withResolvers<null>();
    world.smtp.onRecipient = (address) => (address === author.email ? held.promise : null);
    await world.sweep();
    await eventually('the exchange to begin', async () => world.smtp.begun.includes(author.email));
    await change(author.id);
    held.resolve(null);
    await world.digestEnds(author.id, DATE);
    assert.deepEqual([mailsOf(author).length, await stateOf(author)], [0, end]);
  });
}

test('an hour moved to later on the same day brings no second mail that day', async () => {
  const author = await dueAuthor();
  await sweepAndWait(author);
  await changeDigestSettings(world.db, { userId: author.id, change: { hour: 10 }, now: MONDAY });
  assert.equal(await dueOf(author), '2026-11-23T10:00:00.000Z');
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.equal(mailsOf(author).length, 1);
  assert.equal(await dueOf(author), '2026-11-30T10:00:00.000Z');
});

test('an hour moved to later after the sweep saw it due brings the mail at that hour', async () => {
  const author = await dueAuthor();
  await changeDigestSettings(world.db, {
    userId: author.id,
    change: { hour: 10 },
    now: new Date('2026-11-23T07:00:00Z'),
  });
  // What a sweep at eight had started.
  await world.client.workflow.execute('digestWorkflow', {
    taskQueue: world.taskQueue,
    workflowId: digestWorkflowId(author.id, DATE),
    args: [{ userId: author.id, date: DATE }],
  });
  assert.equal(mailsOf(author).length, 0);
  world.clock.now = new Date('2026-11-23T10:30:00Z');
  try {
    await sweepAndWait(author);
    await world.sweep();
  } finally {
    world.clock.now = MONDAY;
  }
  assert.deepEqual([mailsOf(author).length, await stateOf(author)], [1, 'sent']);
  assert.equal(await dueOf(author), '2026-11-30T10:00:00.000Z');
});

test('a digest whose workflow was ended from outside is taken up by the next sweep, and one that was sent is not sent again', async () => {
  const [begun, sent] = [await dueAuthor(), await dueAuthor()];
  for (const [{ id: userId }, state] of [
    [begun, 'pending'],
    [sent, 'sent'],
  ] as const) {
    await world.db
      .insertInto('digests')
      .values({ userId, date: DATE, state, messageId: '<a@b>', at: MONDAY })
      .execute();
    const taskQueue = `${world.taskQueue}-nobody`;
    const workflowId = digestWorkflowId(userId, DATE);
    const args = [{ userId, date: DATE }];
    await (await world.client.workflow.start('digestWorkflow', { taskQueue, workflowId, args })).terminate();
  }
  await sweepAndWait(begun, sent);
  assert.deepEqual([mailsOf(begun).length, mailsOf(sent).length], [1, 0]);
  assert.deepEqual([await dueOf(begun), await dueOf(sent)], [NEXT_MONDAY, NEXT_MONDAY]);
});

test('histories hold no address, no name and no mail, and every one replays', async () => {
  const author = await dueAuthor('A name that nobody else has');
  await sweepAndWait(author);
  await mailsArrive(world, 1);
  const histories: { workflowId: string; history: Awaited<ReturnType<typeof fetchHistory>> }[] = [];
  const query = `TaskQueue = '${world.taskQueue}'`;
  for await (const { workflowId, runId } of world.client.workflow.list({ query })) {
    histories.push({ workflowId, history: await fetchHistory(workflowId, runId) });
  }
  assert.ok(histories.length > 10);
  const text = JSON.stringify(histories, (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  );
  assert.match(text, new RegExp(author.id));
  assert.doesNotMatch(text, /@example\.org|A name that nobody|token of/);
  const codePath = await workflowBundle(join(tmpdir(), 'courant-test-bundles'));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, histories)) {
    assert.equal(error, undefined, workflowId);
  }
});

function fetchHistory(workflowId: string, runId: string) {
  return world.client.workflow.getHandle(workflowId, runId).fetchHistory();
}
