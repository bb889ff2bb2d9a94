/** Links in mails: their tokens, their states, and their single use. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createLink,
  expireLinks,
  findLink,
  markLinkUsed,
  readLinkId,
  signLink,
} from '../../../store/mail-links/links.ts';
import { signUnsubscribe, verifyUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const KEY = Buffer.alloc(32, 1);
const NOW = new Date('2026-11-01T09:00:00Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

async function addLink(more: { purpose?: 'reset_password' | 'confirm_email'; userId?: string; minutes?: number } = {}) {
  const { purpose = 'reset_password', minutes = 60 } = more;
  const userId = more.userId ?? (await ledger.addAuthor());
  const link = { id: crypto.randomUUID(), purpose, email: 'ada@example.org' };
  const renew = (expiresAt: Date) =>
    createLink(ledger.db, { ...link, userId, subscriberId: null, expiresAt, now: NOW });
  await renew(at(minutes));
  const token = signLink(KEY, { ...link, subjectId: userId });
  const find = (now = NOW, options: { key?: Buffer; purpose?: typeof purpose } = {}) =>
    findLink(ledger.db, options.key ?? KEY, { token, purpose: options.purpose ?? purpose, now });
  const use = (now = NOW) => ledger.db.transaction().execute((tx) => markLinkUsed(tx, link.id, now));
  return { ...link, userId, token, renew, find, use };
}

test('a link is found by its token, for its purpose, until it expires', async () => {
  const { id, userId, email, find } = await addLink();
  const found = { id, userId, subscriberId: null, email };
  assert.deepEqual(await find(), { ...found, state: 'open' });
  assert.equal((await find(new Date(at(60).getTime() - 1)))?.state, 'open');
  assert.deepEqual(await find(at(60)), { ...found, state: 'expired' });
  assert.equal(await find(NOW, { purpose: 'confirm_email' }), null);
  assert.equal(await find(NOW, { key: Buffer.alloc(32, 2) }), null);
});

test('a link is used once, before it expires', async () => {
  const { use, find } = await addLink();
  assert.equal(await use(at(60)), false);
  assert.equal(await use(at(59)), true);
  assert.equal(await use(at(59)), false);
  assert.equal((await find(at(60)))?.state, 'used');
});

test('a retried mail extends its link, unless the link was used or expired for good', async () => {
  const extended = await addLink();
  await extended.renew(at(90));
  assert.equal((await extended.find(at(89)))?.state, 'open');
  await extended.use();
  await extended.renew(at(200));
  const { expiresAt } = await ledger.db
    .selectFrom('mailLinks')
    .select('expiresAt')
    .where('id', '=', extended.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(expiresAt, at(90));
});

test('the other open links of a user for one purpose expire for good', async () => {
  const ended = await addLink();
  const otherPurpose = await addLink({ purpose: 'confirm_email', userId: ended.userId });
  const otherUser = await addLink();
  await ledger.db.transaction().execute((tx) => expireLinks(tx, ended.userId, 'reset_password'));
  await ended.renew(at(120));
  const states = await Promise.all([ended, otherPurpose, otherUser].map(({ find }) => find()));
  assert.deepEqual(
    states.map((link) => link?.state),
    ['expired', 'open', 'open'],
  );
});

test('a token is the signed id, and no near miss of it is one', async () => {
  const { id, token, purpose } = await addLink();
  assert.equal(readLinkId(token), id);
  const others = [
    `x${token}`,
    `${token}x`,
    token.replace('m1', 'm2'),
    token.replaceAll('.', '-'),
    token.slice(0, -1),
    '',
  ];
  for (const other of others) {
    assert.equal(readLinkId(other), null, other);
    assert.equal(await findLink(ledger.db, KEY, { token: other, purpose, now: NOW }), null);
  }
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  assert.equal(await findLink(ledger.db, KEY, { token: forged, purpose, now: NOW }), null);
  const missing = signLink(KEY, { id: crypto.randomUUID(), purpose, subjectId: id, email: 'ada@example.org' });
  assert.equal(await findLink(ledger.db, KEY, { token: missing, purpose, now: NOW }), null);
});

test('an unsubscribe token serves its kind and key only, and contains an id of 64 characters at most', () => {
  const id = 'a'.repeat(64);
  const token = signUnsubscribe(KEY, 'digest', id);
  assert.match(token, /^u1\.a{64}\.[0-9a-zA-Z_-]{43}$/);
  assert.match(signUnsubscribe(KEY, 'newsletter', 'b'), /^n1\.b\./);
  assert.equal(verifyUnsubscribe(KEY, 'digest', token), id);
  assert.equal(verifyUnsubscribe(KEY, 'newsletter', token), null);
  assert.equal(verifyUnsubscribe(KEY, 'newsletter', token.replace('u1', 'n1')), null);
  assert.equal(verifyUnsubscribe(Buffer.alloc(32, 2), 'digest', token), null);
  for (const text of ['', 'u1', `${token}x`, token.slice(0, -1), `u1.a b.${token}`]) {
    assert.equal(verifyUnsubscribe(KEY, 'digest', text), null, text);
  }
  for (const invalid of ['', 'a'.repeat(65), 'a.b', 'a\n', 'ä']) {
    const error = { name: 'TypeError', message: 'an id has letters, digits and hyphens only' };
    assert.throws(() => signUnsubscribe(KEY, 'digest', invalid), error);
  }
});
