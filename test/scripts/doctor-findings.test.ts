/** Findings of `npm run doctor` that need no server: settings, keys in files, messages and secrets. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { getSigningKeyFile } from '../../api/auth/keys/key-ring.ts';
import { checkDatabase } from '../../scripts/doctor/check-database.ts';
import { checkKeys } from '../../scripts/doctor/check-keys.ts';
import { checkBuilt, checkNode } from '../../scripts/doctor/check-machine.ts';
import { checkMail } from '../../scripts/doctor/check-mail.ts';
import { checkSettings, type Settings } from '../../scripts/doctor/check-settings.ts';
import { checkTemporal } from '../../scripts/doctor/check-temporal.ts';
import { describe, type Finding, hideSecrets } from '../../scripts/doctor/finding.ts';

const VALID = {
  DATABASE_URL: 'postgres://ada@db.example/courant',
  TEMPORAL_ADDRESS: 'temporal.example:7233',
  COURANT_HOME: '/nonexistent/courant',
  BASE_URL: 'https://courant.example',
};
const SETTINGS = checkSettings(VALID).settings as Settings;

const write = ({ level, subject, message, advice }: Finding) =>
  [`${level} ${subject}: ${message}`, advice].filter((text) => text !== undefined).join(' → ');
const findFailure = (findings: readonly Finding[]) => {
  assert.equal(findings.length, 1);
  return findings
    .map(write)
    .join('')
    .replace(/^fail [^:]+: /, '');
};

async function createHome(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'courant-doctor-'));
  t.after(() => rm(home, { recursive: true }));
  await mkdir(join(home, 'keys'));
  return home;
}

test('valid settings are one finding', () => {
  assert.deepEqual(checkSettings(VALID).findings.map(write), ['ok settings: Every variable that is set is valid.']);
});

test('each invalid setting is a finding with the next step', () => {
  const { settings, findings } = checkSettings({ ...VALID, PORT: '0', MAIL_FROM: 'nobody' });
  assert.equal(settings, null);
  const advice = 'Correct it in the environment or in .env. The API and the worker cannot start with this value.';
  assert.equal(findings.length, 2);
  for (const finding of findings) {
    assert.deepEqual({ ...finding, message: '' }, { level: 'fail', subject: 'settings', message: '', advice });
    assert.match(finding.message, /^(PORT|MAIL_FROM) is malformed.*[^.]\.$/);
  }
});

test('only unknown names that resemble a setting are named', () => {
  const find = (name: string) => checkSettings({ ...VALID, [name]: 'x' }).findings.map(write);
  const misspelt = (name: string, intended: string) => [
    `warn settings: ${name} is set, but nothing reads it. → If you mean ${intended}, rename it. Otherwise remove it.`,
  ];
  assert.deepEqual(find('DATABSE_URL'), misspelt('DATABSE_URL', 'DATABASE_URL'));
  assert.deepEqual(find('database_ur'), misspelt('database_ur', 'DATABASE_URL'));
  assert.deepEqual(
    find('TEMPORAL_TLS_CLIENT_KEY_PTH'),
    misspelt('TEMPORAL_TLS_CLIENT_KEY_PTH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'),
  );
  assert.deepEqual(find('TEMPORAL_PROFIL'), misspelt('TEMPORAL_PROFIL', 'TEMPORAL_PROFILE'));
  const valid = ['ok settings: Every variable that is set is valid.'];
  for (const name of ['HOME', 'PATH', 'POST', 'USER', 'HOSTNAME', 'PORTS', 'TEMPORAL_GRPC_META_X', 'EDITOR', 'LANG']) {
    assert.deepEqual(find(name), valid, name);
  }
  const known = ['CONFIG_FILE', 'PROFILE', 'ADDRESS', 'NAMESPACE', 'TLS_SERVER_NAME', 'TLS_CLIENT_CERT_PATH'];
  for (const name of [...known, 'TLS_CLIENT_KEY_DATA', 'TLS_SERVER_CA_CERT_DATA']) {
    assert.deepEqual(find(`TEMPORAL_${name}`), valid, name);
  }
});

test('plain HTTP is a warning unless the server is this machine', () => {
  const check = (BASE_URL: string) => checkSettings({ ...VALID, BASE_URL }).findings.map(write);
  assert.deepEqual(check('http://courant.example'), [
    'warn settings: BASE_URL is not https: sessions and tokens are sent unencrypted. → See docs/self-hosting/deployment.md, “A load balancer”.',
  ]);
  assert.equal(check('http://my.localhost.example').length, 1);
  for (const local of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000']) {
    assert.match(check(local).join(), /^ok /, local);
  }
});

test('keys that do not exist yet are warnings, a damaged key is a failure', async (t) => {
  const home = await createHome(t);
  const check = async (changes: Partial<Settings>) =>
    (await checkKeys({ ...SETTINGS, home, ...changes }, false)).map(write);
  const noSealingKey =
    'warn keys: There is no key for credentials yet: the first start creates it in COURANT_HOME/keys. → One machine needs no action. For several, set COURANT_CREDENTIALS_KEY (openssl rand -base64 32).';
  assert.deepEqual(await check({ jwtKey: 'x' }), [noSealingKey, 'ok keys: Sessions are signed with COURANT_JWT_KEY.']);
  const [, ...session] = await check({});
  assert.deepEqual(session, [
    'warn keys: There is no key for sessions yet: the first start creates it in COURANT_HOME/keys. → One machine needs no action. For several APIs, set COURANT_JWT_KEY (docs/self-hosting/keys.md).',
  ]);
  const [damaged] = await check({ jwtKey: 'x', credentialsKey: 'short' });
  assert.match(
    damaged ?? '',
    /^fail keys: .*must be 32 bytes.*[^.]\. → Correct COURANT_CREDENTIALS_KEY, or restore the file from a backup \(docs\/self-hosting\/keys\.md\)\.$/,
  );
});

test('a damaged key for sessions fails', async (t) => {
  const home = await createHome(t);
  await writeFile(getSigningKeyFile(home), 'damaged', { mode: 0o600 });
  const [, ...findings] = await checkKeys({ ...SETTINGS, home }, false);
  assert.equal(
    findFailure(findings),
    'The key for sessions in COURANT_HOME/keys is damaged: the API cannot start. → Restore it from a backup, or delete it; then all users must sign in again.',
  );
});

test('an unreachable database is named with its default host and port, and by the variable that names it', async () => {
  const check = async (changes: Partial<Settings>) =>
    findFailure((await checkDatabase({ ...SETTINGS, ...changes })).findings);
  const variable = (message: string) => /does (\w+) have the correct host/.exec(message)?.[1];
  const direct = await check({ databaseDirectUrl: 'postgres://ada@127.0.0.1:9/x', databasePooled: true });
  assert.match(direct, /^PostgreSQL cannot be reached at 127\.0\.0\.1:9\/x: .*[^.]\. → Is it running, and does /);
  assert.equal(variable(direct), 'DATABASE_DIRECT_URL');
  assert.equal(variable(await check({ databaseDirectUrl: 'postgres://ada@127.0.0.1:9/x' })), 'DATABASE_URL');
});

test('without a mail server, mails are stored; an unreachable one is named', async () => {
  assert.deepEqual((await checkMail(SETTINGS)).map(write), [
    'warn mail: There is no mail server: digests and confirmation links are stored in /nonexistent/courant/mail and not sent. → Set SMTP_URL; see docs/self-hosting/mail.md.',
  ]);
  assert.match(
    findFailure(await checkMail({ ...SETTINGS, smtpUrl: 'smtp://127.0.0.1:9' })),
    /^The mail server 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED.*[^.]\. → Do the host and port in SMTP_URL name a mail server that this machine can reach\? Mails are retried\.$/,
  );
});

test('settings of Temporal that name a missing file are a failure', async () => {
  const findings = await checkTemporal('courant', {
    TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '/nonexistent/cert',
  });
  assert.match(
    findFailure(findings),
    /^The settings of Temporal cannot be read: .*\. → Correct the TEMPORAL_… variables\. The files they name must exist and be readable\.$/,
  );
});

test('the built pages are one finding', () => {
  assert.equal(write(checkBuilt()), 'ok build: The scripts and style sheets of the pages are built.');
});

test('an error is described by its message in one line, else by its code, and an aggregate by its first error', () => {
  assert.equal(describe(new Error('two\n  lines')), 'two lines');
  assert.equal(describe(new Error('x'.repeat(400))), 'x'.repeat(300));
  assert.equal(describe(Object.assign(new Error(), { code: 'EPIPE' })), 'EPIPE');
  assert.equal(describe('text'), 'text');
  assert.equal(describe(new AggregateError([new Error('first'), new Error('second')], 'all')), 'first');
  assert.equal(describe(new AggregateError([], 'all')), 'all');
});

test('a Node.js that cannot run TypeScript is named', () => {
  assert.equal(checkNode('24.1.0').level, 'ok');
  assert.equal(checkNode('25.0.0').level, 'ok');
  assert.equal(
    findFailure([checkNode('23.19.0')]),
    'This is Node.js 23.19.0, which cannot run this code. → Install Node.js 24 or later.',
  );
});

test('secrets are removed from repeated server messages, in every encoding', () => {
  const messages: Finding[] = [
    { level: 'fail', subject: 'x', message: 'no p%2Fass, no p/ass', advice: 'not the-api-key' },
  ];
  const hidden = JSON.stringify(
    hideSecrets(messages, { DATABASE_URL: 'postgres://u:p%2Fass@h/d', TEMPORAL_API_KEY: 'the-api-key' }),
  );
  assert.doesNotMatch(hidden, /p%2Fass|p\/ass|the-api-key/);
});

test('a secret that contains another one, or is sent as metadata, is removed completely', () => {
  const message = 'refused courant-mail-99 and Bearer metadata-token';
  const [finding] = hideSecrets([{ level: 'fail', subject: 'x', message }], {
    DATABASE_URL: 'postgres://u:courant@h/d',
    SMTP_URL: 'smtp://u:courant-mail-99@h',
    TEMPORAL_GRPC_META_AUTHORIZATION: 'Bearer metadata-token',
  });
  assert.equal(finding?.message, 'refused ••• and •••');
});

test('only values of secret variables and passwords of at least four characters are removed', () => {
  const hide = (message: string, variables: NodeJS.ProcessEnv) =>
    hideSecrets([{ level: 'ok', subject: 'x', message }], variables)[0]?.message;
  const names = ['COURANT_JWT_KEY', 'IMAGES_S3_SECRET', 'A_PASSWORD', 'A_TOKEN', 'TLS_KEY_DATA', 'TEMPORAL_CODEC_AUTH'];
  for (const name of names) assert.equal(hide('a secret', { [name]: 'secret' }), 'a •••', name);
  for (const name of ['BASE_URL', 'KEY_FILE', 'DATA_HOME'])
    assert.equal(hide('a secret', { [name]: 'secret' }), 'a secret', name);
  assert.equal(hide('abcd abc', { A_KEY: 'abcd, abc' }), '••• abc');
  assert.equal(hide('p%zz', { DATABASE_URL: 'postgres://u:p%zz@h/d' }), '•••');
  assert.deepEqual(hideSecrets([{ level: 'ok', subject: 'x', message: 'm' }], {}), [
    { level: 'ok', subject: 'x', message: 'm' },
  ]);
});
