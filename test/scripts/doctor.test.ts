/** `npm run doctor` against healthy servers, and against each possible problem. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { buildSandbox, type Sandbox } from '../../sandbox/app.ts';
import { checkDatabase } from '../../scripts/doctor/check-database.ts';
import { checkDestinations } from '../../scripts/doctor/check-destinations.ts';
import { checkKeys } from '../../scripts/doctor/check-keys.ts';
import { checkImages, checkNode } from '../../scripts/doctor/check-machine.ts';
import { checkMail } from '../../scripts/doctor/check-mail.ts';
import { checkSettings, type Settings } from '../../scripts/doctor/check-settings.ts';
import { type Finding, hideSecrets } from '../../scripts/doctor/finding.ts';
import { connectDestination } from '../../store/connections/connect.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { createUser } from '../../store/users/create-user.ts';
import { startScriptedServer } from '../mail/support/scripted-server.ts';
import { type OpenTestDatabase, openTestDatabase, readTemporalAddress } from '../support/environment.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';

let database: OpenTestDatabase;
let smtp: TestSmtpServer;
let sandbox: Sandbox;
let home: string;
let variables: Record<string, string>;
let settings: Settings;
before(async () => {
  database = await openTestDatabase();
  smtp = await startSmtpServer();
  sandbox = await buildSandbox();
  const { url: site } = await sandbox.listen();
  home = await mkdtemp(join(tmpdir(), 'courant-doctor-'));
  variables = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: readTemporalAddress(),
    COURANT_HOME: home,
    BASE_URL: 'https://courant.example',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'digest@courant.example',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
  settings = checkSettings(variables).settings as Settings;
  const now = new Date();
  const { id: userId } = await createUser(database.db, {
    username: 'ada',
    name: 'A',
    email: 'a@example.org',
    passwordHash: 'x',
    now,
  });
  const connection = { userId, destination: 'blogsite_a', platform: 'forem', baseUrl: `${site}/forem/api` } as const;
  await connectDestination(database.db, await loadSealer({ home, key: undefined }), {
    ...connection,
    credentials: { apiKey: 'k' },
    account: { identity: '1', name: '@ada' },
  });
});
after(async () => {
  await sandbox.close();
  await smtp.close();
  await database.close();
  await rm(home, { recursive: true });
});

async function doctor(change: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', ...variables, ...change };
  const child = spawn(process.execPath, ['scripts/doctor.ts', ...args], { env });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status: status as number };
}

const list = (findings: readonly Finding[], level: Finding['level']) =>
  findings.filter((finding) => finding.level === level).map(({ subject, message }) => `${subject}: ${message}`);
/** Returns the only failure. Every failure must contain the next step. */
function findFailure(findings: readonly Finding[]): string {
  const failures = findings.filter(({ level }) => level === 'fail');
  assert.equal(failures.length, 1, JSON.stringify(findings));
  assert.ok(failures[0]?.advice);
  return failures[0].message;
}

test('with healthy servers nothing fails, every part is checked, and the exit code is 0', async () => {
  const { stdout, status } = await doctor({}, '--json');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  assert.deepEqual(list(findings, 'fail'), []);
  assert.equal(status, 0);
  const subjects = new Set(list(findings, 'ok').map((line) => line.split(':')[0]));
  for (const subject of [
    'Node.js',
    'settings',
    'database',
    'clock',
    'keys',
    'Temporal',
    'mail',
    'pictures',
    'build',
    'destinations',
  ]) {
    assert.ok(subjects.has(subject), subject);
  }
  assert.equal(smtp.begun.length, 0, 'no mail is begun');
});

test('unreachable and rejecting servers are named with the next step, no secret is printed, and the exit code is 1', async () => {
  const closed = '127.0.0.1:9';
  const secrets = {
    DATABASE_URL: `postgres://ada:hunter%2F2pass@${closed}/x`,
    SMTP_URL: 'smtp://ada:mailpass99@127.0.0.1:9',
  };
  const more = { TEMPORAL_ADDRESS: closed, COURANT_CREDENTIALS_KEY: 'short-secret', PUBLISH_RATE_PER_MINUT: '5' };
  const { stdout, stderr, status } = await doctor({ ...secrets, ...more });
  assert.equal(status, 1);
  assert.match(stdout, /^fail {2}database {6}PostgreSQL cannot be reached at 127\.0\.0\.1:9\/x.*\n +→ Is it running/m);
  assert.match(stdout, /^fail {2}Temporal .*127\.0\.0\.1:9.*\n +→ .*articles are accepted but not delivered/m);
  assert.match(stdout, /^fail {2}mail .*127\.0\.0\.1:9.*\n +→ /m);
  assert.match(stdout, /^fail {2}keys .*must be 32 bytes/m);
  assert.match(
    stdout,
    /^warn {2}settings {6}PUBLISH_RATE_PER_MINUT is set, but nothing reads it.*\n +→ If you mean PUBLISH_RATE_PER_MINUTE/m,
  );
  assert.doesNotMatch(stdout + stderr, /hunter|mailpass|short-secret/);
});

test('all invalid settings are named, and the services they name are not checked', () => {
  const { settings: none, findings } = checkSettings({
    DATABASE_URL: 'mysql://x',
    PORT: '0',
    MAIL_FROM: 'nobody',
    TEMPORAL_TLS: 'true',
  });
  assert.equal(none, null);
  const messages = list(findings, 'fail').join('\n');
  for (const name of ['DATABASE_URL', 'PORT', 'MAIL_FROM']) assert.match(messages, new RegExp(`${name} is malformed`));
  assert.deepEqual(list(findings, 'warn'), []);
});

test('an outdated, newer or inaccessible schema is named', async () => {
  const { db } = database;
  const check = async () => (await checkDatabase(settings)).findings;
  await sql`update kysely_migration set name = '0001-first'`.execute(db);
  assert.match(findFailure(await check()), /a version before 1\.0\.0/);
  await sql`delete from kysely_migration`.execute(db);
  assert.match(findFailure(await check()), /lacks 1 migrations, from 0001-first-release on/);
  await sql`insert into kysely_migration (name, timestamp) values ('0001-first-release', ''), ('9999-later', '')`.execute(
    db,
  );
  assert.match(list(await check(), 'warn').join(), /of a later release: it has 9999-later/);
  await sql`delete from kysely_migration where name = '9999-later'`.execute(db);

  const role = `doctor_${randomBytes(4).toString('hex')}`;
  await sql.raw(`create role ${role} login password 'x'`).execute(db);
  try {
    await sql.raw(`grant select on all tables in schema public to ${role}`).execute(db);
    const url = Object.assign(new URL(database.url), { username: role, password: 'x' }).href;
    const { findings } = await checkDatabase({ ...settings, databaseUrl: url, databaseDirectUrl: url });
    assert.match(findFailure(findings), new RegExp(`The role ${role} cannot read and write \\d+ tables`));
  } finally {
    await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db);
  }
});

test('an unfinished restore is named, because no worker would start', async () => {
  await sql`insert into restores default values`.execute(database.db);
  assert.match(findFailure((await checkDatabase(settings)).findings), /restore .* has not ended/);
  await sql`delete from restores`.execute(database.db);
});

test('a key that cannot decrypt credentials fails; an unfinished key rotation is named', async () => {
  const [other, file] = [randomBytes(32).toString('base64'), join(home, 'keys', 'credentials.key')];
  assert.match(
    findFailure(await checkKeys({ ...settings, credentialsKey: other }, true)),
    /1 of 1 credentials .* cannot be decrypted/,
  );
  const both = `${other},${(await readFile(file, 'utf8')).trim()}`;
  const findings = await checkKeys({ ...settings, credentialsKey: both }, true);
  assert.match(list(findings, 'warn').join(), /1 of 1 credentials are encrypted with a former key/);
  await chmod(file, 0o644);
  assert.match(list(await checkKeys(settings, true), 'warn').join(), /credentials\.key can be read by other users/);
  await chmod(file, 0o600);
});

test('an unreachable site, a forbidden address, and a full or closed folder are named', async () => {
  assert.match(list(await checkDestinations(settings), 'ok').join(), /All 1 sites/);
  assert.match(list(await checkDestinations({ ...settings, allowPrivate: false }), 'warn').join(), /does not respond/);
  assert.match(findFailure([await checkImages({ ...settings, home: '/dev/null/x' })]), /cannot be written to/);
});

test('a Node.js that cannot run TypeScript is named', () => {
  assert.equal(checkNode('24.1.0').level, 'ok');
  assert.match(findFailure([checkNode('20.19.0')]), /20\.19\.0, which cannot run this code/);
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

test('a damaged demo.json is not quoted: the missing setting is named', async () => {
  const demoHome = await mkdtemp(join(tmpdir(), 'courant-demo-'));
  await writeFile(join(demoHome, 'demo.json'), '{"password": hunter2pass');
  const { stdout, stderr, status } = await doctor({ COURANT_HOME: demoHome, DATABASE_URL: '' });
  await rm(demoHome, { recursive: true });
  assert.equal(status, 1);
  assert.match(stdout, /^fail {2}settings {6}DATABASE_URL is missing/m);
  assert.doesNotMatch(stdout + stderr, /hunter/);
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

test('a mail server that repeats an encoded login does not reveal it', async (t) => {
  const repeating = await startScriptedServer(t, (line) => {
    if (line.startsWith('EHLO')) return '250-hello\r\n250 AUTH PLAIN\r\n';
    return line.startsWith('AUTH') ? `535 5.7.8 refused: ${line}\r\n` : '250 ok\r\n';
  });
  const smtpUrl = repeating.url.replace('//', '//ada:mailpass99@');
  const [finding, ...others] = hideSecrets(await checkMail({ ...settings, smtpUrl }), { SMTP_URL: smtpUrl });
  assert.deepEqual([finding?.level, others.length], ['fail', 0]);
  assert.match(finding?.advice ?? '', /user name and password in SMTP_URL/);
  const encoded = Buffer.from('\u0000ada\u0000mailpass99').toString('base64');
  assert.ok(repeating.received().includes(encoded));
  assert.ok(!JSON.stringify(finding).includes(encoded), JSON.stringify(finding));
});
