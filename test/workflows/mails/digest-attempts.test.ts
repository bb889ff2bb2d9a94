/** Tests interruptions during a mail, and the number and duration of its attempts. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Mailer } from '../../../mail/mailer.ts';
import { parseSmtpUrl } from '../../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../../mail/smtp/smtp-mailer.ts';
import { buildDigestWorkflowId } from '../../../temporal/names.ts';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import { createDigestDesk, DATE, type DigestDesk, MONDAY, NEXT_MONDAY } from '../../support/api/digest-desk.ts';

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

/** Fails once at this point of sending without a record, as a killed process does. */
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
  test(`a worker lost ${point} has sent ${mails} mail, never two, and its row is ${state} (F25)`, async () => {
    const author = await desk.createDueAuthor();
    failOnce(point);
    await desk.sweepAndWait(author);
    assert.equal(await world.sweep(), '0 digests started');
    assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [mails, state]);
    assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
  });
}

test('an exchange that ends during the write of the mark, before the end of the mail, is repeated', async () => {
  const author = await desk.createDueAuthor();
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
  await desk.sweepAndWait(author);
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
});

/** Hides the table for a moment, as in a database failover. */
async function hideTable(): Promise<void> {
  await sql`alter table digest_settings rename to hidden_settings`.execute(world.db);
  setTimeout(() => void sql`alter table hidden_settings rename to digest_settings`.execute(world.db), 700);
}

test('a mail accepted during a database outage is recorded as sent, not as unknown (F25)', async () => {
  const author = await desk.createDueAuthor();
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      const outcome = await inner.send(mail, options);
      await hideTable();
      return outcome;
    },
  });
  await desk.sweepAndWait(author);
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
  assert.equal(await desk.readNextDue(author), NEXT_MONDAY);
});

test('a mail deferred during a database outage is sent later, not given up as unknown (F25)', async () => {
  const author = await desk.createDueAuthor();
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
  await desk.sweepAndWait(author);
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
});

test('the activity’s time-out exceeds all time-outs of a mail exchange', async () => {
  const author = await desk.createDueAuthor();
  await desk.sweepAndWait(author);
  const history = await world.client.workflow.getHandle(buildDigestWorkflowId(author.id, DATE)).fetchHistory();
  const [sending] = (history.events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const server = parseSmtpUrl('smtp://mail.example') ?? assert.fail();
  const { connectionTimeout = 0, greetingTimeout = 0, dnsTimeout = 0, socketTimeout = 0 } = buildPoolOptions(server);
  const maxExchangeMs = dnsTimeout + connectionTimeout + greetingTimeout + socketTimeout;
  assert.ok(readSeconds(sending?.startToCloseTimeout) * 1_000 > maxExchangeMs, `${maxExchangeMs} ms`);
});

test('a mail deferred by the server, at its recipient or at its end, is retried until it is accepted', async () => {
  const author = await desk.createDueAuthor();
  let [early, late] = [1, 1];
  world.smtp.onRecipient = () => (early-- > 0 ? 451 : null);
  world.smtp.onWhole = () => (late-- > 0 ? 452 : null);
  await desk.sweepAndWait(author);
  assert.deepEqual([desk.listMails(author).length, await desk.readState(author)], [1, 'sent']);
  assert.equal(world.smtp.begun.filter((address) => address === author.email).length, 3);
});

test('a digest is given up after a day of attempts, not after a day without a worker', async () => {
  const author = await desk.createDueAuthor();
  await desk.sweepAndWait(author);
  const history = await world.client.workflow.getHandle(buildDigestWorkflowId(author.id, DATE)).fetchHistory();
  const [sending, ...more] = (history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes ?? [],
  );
  assert.deepEqual([sending?.activityType?.name, more.length], ['sendDigest', 0]);
  // Zero means no time limit, which would elapse without a worker.
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
