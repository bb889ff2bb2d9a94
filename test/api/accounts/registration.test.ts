/** Registration: user names, display names, addresses, passwords and limits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requestPasswordReset } from '../../../api/accounts/links/links.ts';
import { register } from '../../../api/accounts/sign-in/register.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const PASSWORD = 'correct horse battery';
let networks = 0;

/** Returns the registered user name, or the error code and field. */
async function tryTo(
  username: string,
  more: { email?: string; name?: string; password?: string; address?: string } = {},
) {
  networks += 1;
  const { address = `198.51.${networks >> 8}.${networks & 255}`, ...rest } = more;
  const person = { username, name: 'Somebody', email: `${networks}@example.org`, password: PASSWORD, ...rest };
  try {
    const { accessToken } = await register(api.accounts, { address, userAgent: null }, person);
    const owner = await api.accounts.sessions.verify('courant:session', accessToken);
    const user = await api.db
      .selectFrom('users')
      .select('username')
      .where('id', '=', owner?.userId ?? '')
      .executeTakeFirst();
    return user?.username;
  } catch (error) {
    const { code, field } = error as { code?: string; field?: string };
    if (code === undefined) throw error;
    return field === undefined ? code : `${code} ${field}`;
  }
}

test('capital and full-width letters of a user name are folded to plain ones', async () => {
  assert.equal(await tryTo('Grace'), 'grace');
  assert.equal(await tryTo('ａｌａｎ'), 'alan');
  assert.equal(await tryTo('GRACE'), 'USERNAME_TAKEN username');
});

test('a user name that looks like an existing one is rejected', async () => {
  assert.equal(await tryTo('marion-01'), 'marion-01');
  for (const name of ['marion-0l', 'marion-oi', 'mari0n_01', 'rnarion-01', 'MARION-O1'])
    assert.equal(await tryTo(name), 'USERNAME_TAKEN username', name);
  assert.equal(await tryTo('marion-02'), 'marion-02');
  const answers = await Promise.all(['twin-1', 'twin-l', 'twin-i', 'tw1n-1'].map((name) => tryTo(name)));
  assert.equal(answers.filter((answer) => answer?.startsWith('USERNAME_TAKEN')).length, 3, 'at the same moment too');
});

test('user names with letters of other scripts, invisible characters or marks are rejected', async () => {
  for (const name of [
    'аdа',
    'ada\u200b',
    'ada\u0301',
    'a\u202eda',
    'ad a',
    'ada.lovelace',
    'ada\nroot',
    'Ⓡ!',
    '',
    'a',
    '-ada',
    'ada-',
    'a--b',
    'x'.repeat(40),
  ])
    assert.equal(await tryTo(name), 'BAD_INPUT username', JSON.stringify(name));
});

test('official user names and their look-alikes are reserved', async () => {
  for (const name of [
    'admin',
    'adm1n',
    'adrnin',
    'support',
    'supp0rt',
    'root',
    'r00t',
    'courant',
    'login',
    'api',
    'settings',
    'no_reply',
  ])
    assert.equal(await tryTo(name), 'USERNAME_TAKEN username', name);
});

test('an address has one account, regardless of case', async () => {
  assert.equal(await tryTo('first', { email: 'Same@Example.org' }), 'first');
  assert.equal(await tryTo('second', { email: ' same@example.org ' }), 'EMAIL_TAKEN email');
  const answers = await Promise.all(
    ['at-once-a', 'at-once-b', 'at-once-c'].map((name) => tryTo(name, { email: 'once@example.org' })),
  );
  assert.equal(answers.filter((answer) => answer === 'EMAIL_TAKEN email').length, 2);
});

test('input other than a single mail address is rejected', async () => {
  for (const email of ['', 'x', 'a@b,c@d', 'a:b@c;', 'a b@c', 'a@b\r\nBcc: v@x', '"a"@b', `${'x'.repeat(250)}@y.org`])
    assert.equal(await tryTo('mailer', { email }), 'BAD_INPUT email', email.slice(0, 30));
});

test('one network can register ten accounts an hour, and rejected input does not count', async () => {
  const address = '203.0.113.77';
  for (let n = 0; n < 30; n++) assert.equal(await tryTo('Not A Name', { address }), 'BAD_INPUT username');
  const answers: (string | undefined)[] = [];
  for (let n = 0; n < 12; n++) answers.push(await tryTo(`flood-${n}x`, { address }));
  assert.deepEqual([answers.filter((answer) => answer === 'RATE_LIMITED').length, answers[9]], [2, 'flood-9x']);
  assert.equal(await tryTo('elsewhere', { address: '203.0.113.78' }), 'elsewhere');
});

test('reset mails are limited per address and per network, whether or not an account exists', async () => {
  const sendRequest = async (address: string, email: string) => {
    try {
      await requestPasswordReset(api.accounts, { address, userAgent: null }, email);
      return 'asked';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  for (const email of ['same@example.org', 'nobody-here@example.org']) {
    const answers: string[] = [];
    for (let n = 0; n < 4; n++) answers.push(await sendRequest('192.0.2.9', email));
    assert.deepEqual(answers, ['asked', 'asked', 'asked', 'RATE_LIMITED'], email);
    for (let n = 0; n < 9; n++) answers.push(await sendRequest(`192.0.3.${n}`, email.toUpperCase()));
    assert.equal(answers.filter((answer) => answer === 'asked').length, 11, 'from everywhere: ten, and one an hour');
  }
  const many = [];
  for (let n = 0; n < 22; n++) many.push(await sendRequest('192.0.2.10', `victim-${n}@example.org`));
  assert.equal(many.filter((answer) => answer === 'asked').length, 20);
});

test('existing look-alike user names stay valid, and further ones are rejected', async () => {
  await api.createAuthor('old-1');
  await api.createAuthor('old-l');
  assert.equal(await tryTo('old-i'), 'USERNAME_TAKEN username');
});
