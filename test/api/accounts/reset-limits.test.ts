/** Limits of reset links, and who can still request one after strangers reached a limit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { requestPasswordReset } from '../../../api/accounts/links/links.ts';
import { countMail, countPasswordChange, countRegistration } from '../../../api/auth/account-limits.ts';
import { login } from '../../../api/auth/login.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { createAuthor, PASSWORD } from './support/leavers.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

async function requestLink(address: string, email: string): Promise<string> {
  const queued = await countQueued(email);
  try {
    await requestPasswordReset(api.accounts, { address, userAgent: null }, email);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    assert.equal(code, 'RATE_LIMITED', message);
    assert.equal(await countQueued(email), queued, 'a refused request sends nothing');
    return message;
  }
  assert.equal(await countQueued(email), queued + 1);
  return 'sent';
}

async function countQueued(email: string): Promise<number> {
  return (await api.db.selectFrom('mails').select('id').where('email', '=', email).execute()).length;
}

/** Sends one request from each of `count` networks. Returns the number of sent links. */
async function requestFromStrangers(count: number, email: string): Promise<number> {
  let sent = 0;
  for (let n = 0; n < count; n++) if ((await requestLink(`198.51.100.${n}`, email)) === 'sent') sent += 1;
  return sent;
}

async function passAnHour(): Promise<void> {
  await sql`update rate_counters set resets_at = resets_at - interval '1 hour'`.execute(api.db);
}

async function signIn(username: string, address: string): Promise<string> {
  const email = `${username}@example.org`;
  await createAuthor(api, username);
  await login(api.accounts, { address, userAgent: null }, { email, password: PASSWORD });
  return email;
}

test('after ten requests by strangers the owner of an address gets a link, from a known network and from a new one (A39)', async () => {
  const home = '203.0.113.5';
  const email = await signIn('besieged', home);
  assert.equal(await requestFromStrangers(10, email), 10);
  assert.equal(await requestLink(home, email), 'sent');
  const traveller = await signIn('travelling', home);
  assert.equal(await requestFromStrangers(10, traveller), 10);
  assert.equal(await requestLink('203.0.113.77', traveller), 'sent');
});

test('a known network can request reset links after strangers reached the limit (A39)', async () => {
  const home = '2001:db8:1:2::5';
  const email = await signIn('flooded', home);
  assert.equal(await requestFromStrangers(40, email), 11, 'ten a day, and one an hour more');
  assert.equal(await requestLink('2001:db8:1:2:ffff::9', email), 'sent', 'the same /64');
  const refusal = await requestLink('2001:db8:1:3::5', email);
  assert.match(refusal, /within the last hour\. Its link still works.+Try again in (?:60|5\d) minutes\.$/);
});

test('requests from the network of the owner for mails to many other addresses do not prevent a reset (A39)', async () => {
  const shared = '203.0.113.40';
  const email = await signIn('office', shared);
  for (let n = 0; n < 20; n++) assert.equal(await requestLink(shared, `office-${n}@example.org`), 'sent');
  assert.match(await requestLink(shared, 'office-21@example.org'), /from your network/);
  assert.equal(await requestLink(shared, email), 'sent');
  assert.match(await requestLink(shared, 'office-21@example.org'), /from your network/);
  const more = [];
  for (let n = 0; n < 3; n++) more.push(await requestLink(shared, email));
  assert.deepEqual(more.slice(0, 2), ['sent', 'sent']);
  assert.match(more[2] ?? '', /limit of mails to this address/, 'three an hour from one network');
});

test('a known network can request at most 5 additional reset links a day', async () => {
  const email = await signIn('insistent', '203.0.113.9');
  for (const address of ['203.0.113.10', '203.0.113.11'])
    await login(api.accounts, { address, userAgent: null }, { email, password: PASSWORD });
  assert.equal(await requestFromStrangers(11, email), 11);
  const answers = [];
  for (const address of ['203.0.113.9', '203.0.113.10', '203.0.113.11'])
    for (let n = 0; n < 3; n++) answers.push(await requestLink(address, email));
  assert.equal(answers.filter((answer) => answer === 'sent').length, 5);
  await passAnHour();
  const later = [await requestLink('203.0.113.9', email), await requestLink('203.0.113.9', email)];
  assert.deepEqual([later[0], later[1] === 'sent'], ['sent', false], 'one an hour more');
});

test('all networks together can send an address at most ten mails a day', async () => {
  const requestFromNetworks = async () => {
    const requests = Array.from({ length: 12 }, (_, n) => countMail(api.db, `198.51.100.${n}`, 'flooded@example.net'));
    return (await Promise.allSettled(requests)).filter(({ status }) => status === 'fulfilled').length;
  };
  assert.equal(await requestFromNetworks(), 10);
  await passAnHour();
  assert.equal(await requestFromNetworks(), 0);
});

test('a password can be changed at most ten times a day', async () => {
  const { id } = await api.createAuthor('indecisive');
  for (let n = 0; n < 10; n++) await countPasswordChange(api.db, id);
  await assert.rejects(countPasswordChange(api.db, id), { code: 'RATE_LIMITED' });
  await passAnHour();
  await assert.rejects(countPasswordChange(api.db, id), { code: 'RATE_LIMITED' });
});

test('a network from which only another account signed in is not known', async () => {
  const home = '203.0.113.20';
  await signIn('neighbour', home);
  await createAuthor(api, 'never-here');
  assert.equal(await requestFromStrangers(11, 'never-here@example.org'), 11);
  assert.notEqual(await requestLink(home, 'never-here@example.org'), 'sent');
});

test('a session stores only a hash of the network, and the hash differs per account', async () => {
  await signIn('private-1', '203.0.113.30');
  await signIn('private-2', '203.0.113.30');
  const rows = await api.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select('network')
    .where('username', 'like', 'private-%')
    .execute();
  const networks = rows.map(({ network }) => network?.toString('hex') ?? '');
  assert.deepEqual([networks.length, new Set(networks).size, networks[0]?.length], [2, 2, 64]);
});

test('a wait of more than 90 minutes is shown in hours', async () => {
  for (let n = 0; n < 10; n++) await countPasswordChange(api.db, api.author.id);
  await assert.rejects(countPasswordChange(api.db, api.author.id), /Try again in 24 hours\.$/);
});

test('each limit of an account or a network states its reason and the wait', async () => {
  const { db } = api;
  let email = 0;
  const mail = (to: string, from = '203.0.113.201') => countMail(db, from, to);
  const limits: [max: number, count: (n: number) => Promise<void>, message: string][] = [
    [
      10,
      () => countRegistration(db, '2001:db8:9::1'),
      'Too many accounts were created from your network. Try again in 60 minutes.',
    ],
    [
      10,
      () => countPasswordChange(db, 'restless'),
      'The password was changed too many times within one day. Try again in 24 hours.',
    ],
    [
      20,
      () => mail(`limited-${email++}@example.org`),
      'Too many mails were requested from your network. Try again in 60 minutes.',
    ],
    [
      3,
      () => mail('Pair@example.org', '203.0.113.202'),
      'The limit of mails to this address is reached. Check the inbox and the spam folder for an earlier mail. Try again in 60 minutes.',
    ],
    [
      10,
      (n) => mail(n % 2 === 0 ? 'many@example.org' : 'MANY@example.org', `203.0.114.${n}`),
      'The limit of mails to this address is reached. Check the inbox and the spam folder for an earlier mail. Try again in 24 hours.',
    ],
  ];
  for (const [max, count, message] of limits) {
    for (let n = 0; n < max; n++) await count(n);
    await assert.rejects(count(max), { code: 'RATE_LIMITED', message });
  }
});
