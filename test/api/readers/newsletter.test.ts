/** Newsletter subscriptions in the store, and the links that leave a newsletter. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { loadUnsubscribeKey, signUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { confirmSubscription, findOrAddSubscription } from '../../../store/newsletter/subscribe.ts';
import { sweepExpired } from '../../../store/operation/sweep-expired.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
let key: Buffer;
before(async () => {
  api = await startTestApi();
  key = await loadUnsubscribeKey({ home: api.home, key: undefined });
});
after(() => api.close());

const now = () => new Date();
const subscribe = (email: string, at = now()) =>
  api.db.transaction().execute((tx) => findOrAddSubscription(tx, { username: api.author.username, email, now: at }));
const countSubscribers = async () => {
  const rows = await api.db.selectFrom('newsletterSubscribers').selectAll().execute();
  return rows.filter(({ confirmedAt, unsubscribedAt }) => confirmedAt !== null && unsubscribedAt === null).length;
};
const address = (token: string) => `${api.url}/newsletter/leave?token=${encodeURIComponent(token)}`;
const oneClick = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });

test('an address, regardless of case, subscribes by confirming, unsubscribes by leaving and can confirm again', async () => {
  const [one, same] = await Promise.all([subscribe('Reader@example.org'), subscribe('reader@EXAMPLE.org')]);
  assert.equal(one.id, same.id);
  assert.equal(one.isConfirmed, false);
  assert.equal(await countSubscribers(), 0);
  for (let n = 0; n < 2; n++) assert.equal(await confirmSubscription(api.db, one.id, now()), api.author.username);
  assert.equal((await subscribe('reader@example.org')).isConfirmed, true);
  assert.equal(await countSubscribers(), 1);
  const reply = await fetch(address(signUnsubscribe(key, 'newsletter', one.id)), {
    method: 'POST',
    body: oneClick(),
    redirect: 'manual',
  });
  assert.equal(reply.status, 200);
  assert.match(await reply.text(), /You have unsubscribed/);
  assert.equal(await countSubscribers(), 0);
  assert.equal((await subscribe('reader@example.org')).isConfirmed, false);
  await confirmSubscription(api.db, one.id, now());
  assert.equal(await countSubscribers(), 1);
});

test('a mail program unsubscribes with one POST, in either form encoding (RFC 8058)', async () => {
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  for (const body of [oneClick(), multipart]) {
    const { id } = await subscribe('one-click@example.org');
    await confirmSubscription(api.db, id, now());
    const before = await countSubscribers();
    assert.equal((await fetch(address(signUnsubscribe(key, 'newsletter', id)), { method: 'POST', body })).status, 200);
    assert.equal(await countSubscribers(), before - 1);
  }
});

test('a subscription to a deleted account is rejected', async () => {
  const { id, username } = await api.createAuthor('gone-author');
  await api.db.updateTable('users').set({ deletedAt: now() }).where('id', '=', id).execute();
  const subscription = { username, email: 'too-late@example.org', now: now() };
  await assert.rejects(
    api.db.transaction().execute((tx) => findOrAddSubscription(tx, subscription)),
    { code: 'NOT_FOUND' },
  );
});

test('following the link changes nothing and shows a button; a token made for another is a 404 (A22)', async () => {
  const { id } = await subscribe('link@example.org');
  await confirmSubscription(api.db, id, now());
  const token = signUnsubscribe(key, 'newsletter', id);
  const shown = await fetch(address(token));
  assert.equal(shown.status, 200);
  assert.equal(shown.headers.get('referrer-policy'), 'no-referrer');
  assert.match(await shown.text(), /<form method="post">.*<button/s);
  const [, , mac] = token.split('.');
  const others = [
    `n1.${randomUUID()}.${mac}`,
    signUnsubscribe(key, 'digest', id),
    signUnsubscribe(key, 'digest', api.author.id),
    `${token}x`,
    '',
  ];
  for (const other of others) {
    assert.equal((await fetch(address(other))).status, 404, other);
    assert.equal((await fetch(address(other), { method: 'POST', body: oneClick() })).status, 404, other);
  }
  const digest = `${api.url}/digest/unsubscribe?token=${encodeURIComponent(token)}`;
  assert.equal((await fetch(digest, { method: 'POST', body: oneClick() })).status, 404);
  assert.equal((await fetch(address(token), { method: 'POST', body: new URLSearchParams({ a: 'b' }) })).status, 400);
  const row = await api.db.selectFrom('newsletterSubscribers').select('unsubscribedAt').where('id', '=', id).execute();
  assert.deepEqual(row, [{ unsubscribedAt: null }]);
});

test('an unconfirmed subscription is deleted thirty days after the last request', async () => {
  const start = Date.now();
  const at = (days: number) => new Date(start + days * 86_400_000);
  const { id } = await subscribe('typo@example.org', at(0));
  await subscribe('typo@example.org', at(20));
  const exists = async () =>
    (await api.db.selectFrom('newsletterSubscribers').select('id').where('id', '=', id).execute()).length === 1;
  await sweepExpired(api.db, 'newsletter_subscribers', at(45));
  assert.equal(await exists(), true);
  await sweepExpired(api.db, 'newsletter_subscribers', at(51));
  assert.equal(await exists(), false);
  assert.equal(await confirmSubscription(api.db, id, at(51)), undefined);
});
