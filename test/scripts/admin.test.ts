/** Operator commands: their effects and their records. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { resetPassword } from '../../api/accounts/links/links.ts';
import { readAdminConfig } from '../../scripts/admin/config.ts';
import { markdown, startTestApi, type TestApi } from '../support/api/api.ts';
import { deleteAccountOf } from '../support/database/delete-account.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

function admin(...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: api.databaseUrl,
    COURANT_HOME: api.home,
    BASE_URL: 'https://courant.example',
  };
  return spawnSync(process.execPath, ['scripts/admin.ts', ...args], { env, encoding: 'utf8' });
}

const read = (id: string) =>
  api.db.selectFrom('users').select(['trusted', 'suspendedAt']).where('id', '=', id).executeTakeFirstOrThrow();
const readOperator = (id: string) =>
  api.db.selectFrom('users').select(['isOperator', 'shownAt']).where('id', '=', id).executeTakeFirstOrThrow();
const listActions = (id: string) =>
  api.db
    .selectFrom('operatorActions')
    .select(['operator', 'action', 'username'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();

test('trust and suspension are set and removed, and each command reports its result', async () => {
  const { id, username } = await api.createAuthor('bob');
  assert.equal(admin('trust', username).stdout, 'bob is trusted now.\n');
  assert.equal((await read(id)).trusted, true);
  assert.equal(admin('suspend', 'BOB').stdout, 'bob is suspended now.\n');
  const { suspendedAt } = await read(id);
  assert.equal(admin('suspend', username).stdout, 'bob was already suspended.\n');
  assert.deepEqual((await read(id)).suspendedAt, suspendedAt, 'since when, stays');
  assert.equal(admin('unsuspend', username).stdout, 'bob is not suspended now.\n');
  assert.equal(admin('untrust', username).stdout, 'bob is not trusted now.\n');
  assert.deepEqual(await read(id), { trusted: false, suspendedAt: null });
  const actions = await listActions(id);
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['trust', 'suspend', 'suspend', 'unsuspend', 'untrust'],
  );
  for (const { operator } of actions) assert.ok(operator.startsWith(`${userInfo().username}@`), operator);
});

test('make-operator and remove-operator change the role of the account of an address, and no page', async () => {
  const { id } = await api.createAuthor('hostess');
  await api.createAuthor('guest');
  const before = await readOperator(id);
  assert.equal(before.isOperator, false);
  const address = 'Hostess@Example.org';
  assert.equal(admin('make-operator', address).stdout, 'hostess@example.org is an operator now.\n');
  assert.deepEqual(await readOperator(id), { ...before, isOperator: true });
  assert.equal(admin('make-operator', 'hostess').stdout, 'hostess was already an operator.\n');
  const operators = api.db.selectFrom('users').select('username').where('isOperator', '=', true);
  assert.deepEqual(await operators.execute(), [{ username: 'hostess' }]);
  assert.equal(admin('remove-operator', address).stdout, 'hostess@example.org is not an operator now.\n');
  assert.deepEqual(await readOperator(id), before);
  assert.deepEqual(
    (await listActions(id)).map(({ action, username }) => [action, username]),
    [
      ['make-operator', 'hostess'],
      ['make-operator', 'hostess'],
      ['remove-operator', 'hostess'],
    ],
  );
});

test('reset-password prints a link that sets a password once; neither a password nor a secret is stored', async () => {
  const { id, username } = await api.createAuthor('locked-out');
  const { stdout, status } = admin('reset-password', username);
  assert.equal(status, 0);
  const token = /^https:\/\/courant\.example\/account\/reset-password\?token=(\S+)$/m.exec(stdout)?.[1] ?? '';
  await resetPassword(api.accounts, token, { password: 'a quite new password', keepDeveloperTokens: false });
  await assert.rejects(
    resetPassword(api.accounts, token, { password: 'a second password', keepDeveloperTokens: false }),
    { code: 'LINK_INVALID' },
  );
  const stored = JSON.stringify([await listActions(id), await api.db.selectFrom('mailLinks').selectAll().execute()]);
  assert.equal(stored.includes(token.split('.')[2] ?? ''), false);
});

test('revoke-tokens revokes developer tokens and ends sessions at once', async () => {
  const { id, username, token } = await api.createAuthor('leaked');
  const session = await api.sessions.issue('courant:session', id);
  assert.match(admin('revoke-tokens', username).stdout, /1 developer tokens revoked, 1 sessions ended/);
  assert.equal((await api.publish({ content: '# Title\n' }, { token })).status, 401);
  const answer = await fetch(`${api.url}/notifications/sse-token`, { headers: { authorization: `Bearer ${session}` } });
  assert.equal(answer.status, 401);
});

test('a deleted account cannot be changed, although its user name stays reserved', async () => {
  const { id, username } = await api.createAuthor('gone');
  await deleteAccountOf(api.db, id, new Date());
  for (const command of ['make-operator', 'trust', 'suspend', 'reset-password', 'revoke-tokens']) {
    const { status, stderr } = admin(command, username);
    assert.equal(status, 1, command);
    assert.match(stderr, /^There is no account with the user name or e-mail address gone\./);
  }
  assert.deepEqual(await listActions(id), []);
  assert.equal((await readOperator(id)).isOperator, false);
});

test('an unknown account, an unknown command and a missing argument change nothing and show the next step', async () => {
  for (const account of ['nobody-at-all', 'nobody@example.org']) {
    const unknown = admin('suspend', account);
    assert.equal(unknown.status, 1);
    assert.equal(
      unknown.stderr,
      `There is no account with the user name or e-mail address ${account}. Nothing changed.\n`,
    );
  }
  for (const args of [[], ['suspend'], ['explode', 'bob'], ['toString', 'bob'], ['suspend', 'bob', 'eve']]) {
    const { status, stderr } = admin(...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /Usage: npm run admin -- <command> <user name or e-mail address>/);
  }
});

test('without settings the commands use the database of npm start; without that they name what is missing', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'courant-admin-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  assert.throws(() => readAdminConfig({ COURANT_HOME: home }), /DATABASE_URL is missing/);
  const demo = { databaseUrl: 'postgres://demo@localhost/demo', baseUrl: 'http://localhost:3100' };
  await writeFile(join(home, 'demo.json'), JSON.stringify(demo));
  const { databaseUrl, baseUrl } = readAdminConfig({ COURANT_HOME: home });
  assert.deepEqual({ databaseUrl, baseUrl }, demo);
  const configured = readAdminConfig({ COURANT_HOME: home, DATABASE_URL: 'postgres://real@localhost/real' });
  assert.equal(configured.databaseUrl, 'postgres://real@localhost/real');
});

test('canonical-clashes lists canonical URLs shared by several authors, or reports that there are none (A35)', async () => {
  assert.equal(admin('canonical-clashes', 'bob').status, 2);
  assert.match(
    admin('canonical-clashes').stdout,
    /^There are no canonical clashes: no two authors share a canonical URL\.\n$/,
  );
  const [one, other] = [await api.createAuthor('clash-one'), await api.createAuthor('clash-other')];
  const publish = async ({ token }: { token: string }, title: string, canonical_url?: string, draft = false) => {
    const { body } = await api.publish({ content: markdown({ title, canonical_url, draft }) }, { token });
    return body.data?.slug ?? '';
  };
  const address = 'https://blog.example/first';
  await publish(one, 'Clash one', address);
  await publish(one, 'Clash alone', 'https://blog.example/alone');
  await publish(other, 'Clash other', address);
  await publish(other, 'Clash draft', 'https://blog.example/alone', true);
  const page = await publish(one, 'Clash page', 'https://blog.example/page');
  await publish(other, 'Clash pointing', `${api.baseUrl}/${page}`);
  const { stdout, status } = admin('canonical-clashes');
  assert.equal(status, 0);
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    address,
    '  https://courant.example/clash-one by clash-one',
    '  https://courant.example/clash-other by clash-other',
    'https://courant.example/clash-page',
    '  https://courant.example/clash-page by clash-one',
    '  https://courant.example/clash-pointing by clash-other',
  ]);
  assert.equal(admin('canonical-clashes', 'bob').status, 2);
});
