/** Links in mails that are still to be sent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createLink, expireLinks, findLink, signLink } from '../../../store/mail-links/links.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const HOUR_MS = 3_600_000;
const KEY = Buffer.alloc(32);

test('a retried mail extends a link that expired with time, but not one that a password change expired', async () => {
  const { db } = ledger;
  const userId = await ledger.addAuthor();
  const link = { id: randomUUID(), purpose: 'reset_password', email: 'ada@example.org' } as const;
  const token = signLink(KEY, { ...link, subjectId: userId });
  const at = (hours: number) => new Date(Date.parse('2026-11-16T07:00:00Z') + hours * HOUR_MS);
  const compose = (hours: number) =>
    createLink(db, { ...link, userId, subscriberId: null, expiresAt: at(hours + 1), now: at(hours) });
  const readState = async (hours: number) =>
    (await findLink(db, KEY, { token, purpose: link.purpose, now: at(hours) }))?.state;
  await compose(0);
  assert.equal(await readState(2), 'expired');
  await compose(2);
  assert.equal(await readState(2.1), 'open');
  await db.transaction().execute((tx) => expireLinks(tx, userId, link.purpose));
  await compose(2.3);
  assert.equal(await readState(2.4), 'expired');
});
