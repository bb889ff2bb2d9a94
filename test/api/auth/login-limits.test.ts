/** Limits of wrong passwords. They must not lock out the owner of the account. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countAttempt } from '../../../api/auth/login-limits.ts';
import { toNetwork } from '../../../api/plugins/network.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { hashPassword, verifyPassword } from '../../../store/users/passwords.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { runs } from '../../support/property-runs.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => api.close());

const PASSWORD = 'a good long password';

async function logIn(from: string, email: string, password: string): Promise<string> {
  const query =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ query, variables: { email, password } }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code ?? 'logged in';
}

/** A tenth of the usual cost, which `store/users/passwords` tests. A hash contains its cost. */
const passwordHash = hashPassword(PASSWORD, { memoryCost: 4 * 1024, parallelism: 1 });

async function register(name: string): Promise<string> {
  const email = `${name}@example.org`;
  await createUser(api.db, {
    username: name,
    name,
    email,
    passwordHash: await passwordHash,
    now: new Date(),
  });
  return email;
}

const fail = async (from: string, email: string) =>
  countAttempt(api.db, from, email).then(
    () => 'counted',
    (error: { code: string }) => error.code,
  );

test('ten wrong passwords from one network lock only that network out of the account (A30)', async () => {
  const email = await register('grace');
  const codes: string[] = [];
  for (let n = 0; n < 12; n++) codes.push(await logIn('203.0.113.5', email, `guess ${n}`));
  assert.deepEqual(codes, [...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED', 'RATE_LIMITED']);
  assert.equal(await logIn('203.0.113.5', email, PASSWORD), 'RATE_LIMITED');
  assert.equal(await logIn('198.51.100.7', email, PASSWORD), 'logged in');
});

test('correct passwords do not count as failures', async () => {
  const email = await register('often');
  for (let n = 0; n < 13; n++) assert.equal(await logIn('198.51.100.8', email, PASSWORD), 'logged in');
});

test('a login that is rejected before its password is checked does not count as a failure', async () => {
  const email = await register('hurried');
  let over = false;
  // Fills the queue, and replaces each finished check at once.
  const flood = Array.from({ length: 62 }, async () => {
    while (!over) await verifyPassword(await passwordHash, 'a flood');
  });
  const codes = await Promise.all(Array.from({ length: 10 }, () => logIn('198.51.100.9', email, PASSWORD)));
  assert.ok(codes.includes('RATE_LIMITED'), codes.join());
  over = true;
  await Promise.allSettled(flood);
  assert.equal(await logIn('198.51.100.9', email, PASSWORD), 'logged in');
});

test('a login during a flood from another network succeeds and waits for few of the others', async () => {
  const flooders = await Promise.all(Array.from({ length: 6 }, (_, n) => register(`flooder-${n}`)));
  const email = await register('beside');
  let done = 0;
  const flood = flooders.flatMap((flooder) =>
    Array.from({ length: 10 }, async () => {
      await logIn('198.51.100.11', flooder, PASSWORD);
      done += 1;
    }),
  );
  await eventually('the flood to be under way', async () => done > 0, { everyMs: 5 });
  const before = done;
  assert.equal(await logIn('198.51.100.12', email, PASSWORD), 'logged in');
  assert.ok(done - before < 20, `after ${done - before} of the others`);
  await Promise.all(flood);
});

test('an impossible address is a failed login', async () => {
  assert.equal(await logIn('198.51.100.10', 'no\0body@example.org', PASSWORD), 'UNAUTHENTICATED');
});

test('all addresses of an IPv6 /64 count as one network for all accounts (A30)', async () => {
  const codes: string[] = [];
  for (let n = 0; n < 61; n++) codes.push(await fail(`2001:db8:1:2::${n.toString(16)}`, `account-${n}@example.org`));
  assert.deepEqual(codes, [...Array(60).fill('counted'), 'RATE_LIMITED']);
  assert.equal(await fail('2001:db8:1:3::1', 'account-1@example.org'), 'counted');
});

test('an account under attack from many networks accepts its owner from another network (A30)', async () => {
  const email = await register('target');
  for (let n = 0; n < 110; n++) await fail(`10.0.${n}.1`, email);
  assert.equal(await logIn('198.51.100.9', email, PASSWORD), 'logged in');
  const codes = [];
  for (let n = 0; n < 3; n++) codes.push(await logIn('198.51.100.10', email, 'guess'));
  assert.deepEqual(codes, ['UNAUTHENTICATED', 'UNAUTHENTICATED', 'RATE_LIMITED']);
});

test('an account is under attack after a hundred failures; the refusal names the wait (A30)', async () => {
  const email = 'nearly-besieged@example.org';
  for (let n = 0; n < 97; n++) assert.equal(await fail(`10.1.${n}.1`, email), 'counted');
  const codes = [];
  for (let n = 0; n < 4; n++) codes.push(await fail('198.51.100.20', email));
  assert.deepEqual(codes, ['counted', 'counted', 'counted', 'RATE_LIMITED']);
  const message = 'Too many wrong passwords from your network. Try again in 15 minutes.';
  await assert.rejects(countAttempt(api.db, '198.51.100.20', email), { code: 'RATE_LIMITED', message });
  assert.equal(await fail('198.51.100.21', email), 'counted');
});

test('concurrent wrong passwords count like sequential ones', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => fail('203.0.113.9', 'at-once@example.org')));
  assert.equal(codes.filter((code) => code === 'counted').length, 10);
});

test('failures count per account regardless of the case of its address (A30)', async () => {
  const spelled = ['spelled@example.org', 'Spelled@Example.org', 'SPELLED@EXAMPLE.ORG'];
  for (let n = 0; n < 10; n++) await fail('192.0.2.77', spelled[n % 3] ?? '');
  for (const email of spelled) assert.equal(await fail('192.0.2.77', email), 'RATE_LIMITED', email);
});

test('a network is an IPv4 address or an IPv6 /64, and any other text is accepted', () => {
  assert.equal(toNetwork('203.0.113.5'), '203.0.113.5');
  assert.equal(toNetwork('::ffff:203.0.113.5'), '203.0.113.5');
  assert.equal(toNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  fc.assert(
    fc.property(fc.ipV6(), (address) => toNetwork(address) === toNetwork(toNetwork(address).replace('/64', ''))),
    { numRuns: runs(100) },
  );
  fc.assert(
    fc.property(fc.string(), (text) => toNetwork(text).length > 0),
    { numRuns: runs(100) },
  );
});
