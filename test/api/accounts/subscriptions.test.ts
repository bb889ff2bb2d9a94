/** Newsletter subscriptions: confirmation by mail, leaving and subscribing again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runGraphql } from '../../support/api/graphql.ts';
import { type AccountsDesk, findLink, startAccountsDesk } from './support/accounts-desk.ts';

let desk: AccountsDesk;
before(async () => {
  desk = await startAccountsDesk();
});
after(() => desk.close());

const subscribe = (email: string) => {
  const { api } = desk;
  const query = 'mutation ($username: String!, $email: String!) { subscribe(username: $username, email: $email) }';
  return runGraphql(api, null, query, { username: api.author.username, email });
};
const findRow = (email: string) =>
  desk.api.db.selectFrom('newsletterSubscribers').selectAll().where('email', '=', email).executeTakeFirst();
const click = (url: string, body = new URLSearchParams()) => fetch(url, { method: 'POST', body, redirect: 'manual' });

test('an address subscribes with the link in its mail, leaves with one click and can subscribe again', async () => {
  const email = 'reader@example.org';
  const first = await subscribe(email);
  assert.equal(first.data.subscribe, true);
  const [mail] = await desk.waitForMails(email, /Confirm your subscription/);
  assert.ok(mail);
  const link = findLink(mail);
  const look = await fetch(link);
  assert.match(await look.text(), /<form method="post">/);
  assert.equal((await findRow(email))?.confirmedAt, null);
  const done = await click(link);
  assert.equal(done.status, 200);
  const page = await done.text();
  assert.ok((await findRow(email))?.confirmedAt);
  assert.equal((await click(link)).status, 404, 'a link is used once');

  const leave = /href="(\/newsletter\/leave\?token=[^"]+)"/.exec(page)?.[1] ?? '';
  const leaving = await click(`${desk.api.url}${leave}`, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }));
  assert.equal(leaving.status, 200);
  assert.equal((await findRow(email))?.confirmedAt, null);

  await subscribe(email);
  const mails = await desk.waitForMails(email, /Confirm your subscription/, 2);
  assert.equal((await click(findLink(mails.at(-1) as (typeof mails)[0]))).status, 200);
  const back = await findRow(email);
  assert.ok(back?.confirmedAt);
  assert.equal(back?.unsubscribedAt, null);
});

test('an address that already subscribes gets the same response, and mails to one address are limited', async () => {
  const email = 'known@example.org';
  const first = await subscribe(email);
  await desk.waitForMails(email, /Confirm your subscription/);
  await desk.api.db
    .updateTable('newsletterSubscribers')
    .set({ confirmedAt: new Date() })
    .where('email', '=', email)
    .execute();
  assert.equal((await subscribe(email)).text, first.text);
  assert.equal((await subscribe('not an address')).code, 'BAD_INPUT');
  await subscribe(email);
  assert.equal((await subscribe(email)).code, 'RATE_LIMITED');
});

test('all spellings of an international domain are one subscription', async () => {
  const { db } = desk.api;
  const before = await db.selectFrom('newsletterSubscribers').select('id').execute();
  for (const email of ['Änne@bücher.example', 'änne@xn--bcher-kva.example', 'ÄNNE@BÜCHER.example']) {
    const answer = await subscribe(email);
    assert.deepEqual([answer.code, answer.data?.subscribe], [undefined, true], email);
  }
  const rows = await db.selectFrom('newsletterSubscribers').select('id').execute();
  assert.equal(rows.length - before.length, 1);
  assert.equal((await subscribe('änne@bücher.example')).code, 'RATE_LIMITED');
});
