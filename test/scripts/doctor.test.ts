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
import { checkImages } from '../../scripts/doctor/check-machine.ts';
import { checkMail } from '../../scripts/doctor/check-mail.ts';
import { checkSettings, type Settings } from '../../scripts/doctor/check-settings.ts';
import { type Finding, hideSecrets } from '../../scripts/doctor/finding.ts';
import { connectDestination } from '../../store/connections/connect.ts';
import { listMigrations } from '../../store/db/migration-names.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { createUser } from '../../store/users/create-user.ts';
import { startScriptedServer } from '../mail/support/scripted-server.ts';
import { type OpenTestDatabase, openTestDatabase, readTemporalAddress } from '../support/environment.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';

const NO_SESSION_KEY: Finding = {
  ...{ level: 'warn', subject: 'keys' },
  message: 'There is no key for sessions yet: the first start creates it in COURANT_HOME/keys.',
  advice: 'One machine needs no action. For several APIs, set COURANT_JWT_KEY (docs/self-hosting/keys.md).',
};

const migrations = await listMigrations();

let database: OpenTestDatabase;
let smtp: TestSmtpServer;
let sandbox: Sandbox;
let site: string;
let home: string;
let variables: Record<string, string>;
let settings: Settings;
before(async () => {
  database = await openTestDatabase();
  smtp = await startSmtpServer();
  sandbox = await buildSandbox();
  site = (await sandbox.listen()).url;
  home = await mkdtemp(join(tmpdir(), 'courant-doctor-'));
  variables = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: readTemporalAddress(),
    TEMPORAL_TASK_QUEUE: 'doctor',
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
/** Returns the only failure, followed by the next step. */
function findFailure(findings: readonly Finding[]): string {
  const failures = findings.filter(({ level }) => level === 'fail');
  assert.equal(failures.length, 1, JSON.stringify(findings));
  assert.ok(failures[0]?.advice);
  return `${failures[0].message} → ${failures[0].advice}`;
}
/** Returns the only warning, followed by the next step. */
function findWarning(findings: readonly Finding[]): string {
  const [warning, ...others] = findings.filter(({ level }) => level === 'warn');
  assert.equal(others.length, 0, JSON.stringify(findings));
  return `${warning?.message} → ${warning?.advice}`;
}

test('with healthy servers nothing fails, every part is checked, and the exit code is 0', async () => {
  const { stdout, status } = await doctor({}, '--json');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  assert.deepEqual(list(findings, 'fail'), []);
  assert.equal(status, 0);
  // Temporal's search attributes depend on other tests of this server.
  const messages = list(findings, 'ok').filter((line) => !line.startsWith('Temporal: The search'));
  assert.deepEqual(
    messages.map((line) => line.replace(home, '<home>').replace(/(?<=[ :])\d+(?:\.\d+)*/g, '<n>')),
    [
      'Node.js: This is Node.js <n>.',
      'settings: Every variable that is set is valid.',
      'build: The scripts and style sheets of the pages are built.',
      'database: PostgreSQL <n> responds.',
      'clock: The clocks of this machine and the database agree.',
      'database: It allows <n> connections, of which <n> are in use; each API uses up to <n>, each worker up to <n>.',
      `database: The schema matches this release (${migrations.at(-1)}).`,
      `database: The role ${new URL(database.url).username} can read, write and migrate every table.`,
      'keys: All <n> checked credentials of destinations can be decrypted with the current key.',
      'destinations: All <n> sites of connected destinations respond.',
      'Temporal: The namespace default exists at <n>:<n>.',
      'mail: The mail server <n>:<n> responds and requires no password.',
      'pictures: <n> MiB are free for pictures in <home>.',
    ],
  );
  const warnings = findings.filter(({ level, subject }) => level === 'warn' && subject !== 'Temporal');
  assert.deepEqual(warnings, [NO_SESSION_KEY]);
  const idle = findings.find(({ message }) => message.startsWith('No worker polls'));
  assert.deepEqual(idle, {
    ...{ level: 'warn', subject: 'Temporal' },
    message: 'No worker polls doctor, doctor-deliveries, doctor-mails, doctor-imports.',
    advice:
      'Start one (`npm run worker`) with the same TEMPORAL_TASK_QUEUE. Until then, articles are accepted but not delivered.',
  });
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
  assert.match(
    stdout,
    /^fail {2}database {6}PostgreSQL cannot be reached at 127\.0\.0\.1:9\/x: connect ECONNREFUSED .*\.\n {20}→ Is it running, and does DATABASE_URL have the correct host, port, user and database\? Without it, nothing can be published\.$/m,
  );
  assert.match(stdout, /^fail {2}Temporal .*127\.0\.0\.1:9.*\n +→ .*articles are accepted but not delivered/m);
  assert.match(stdout, /^fail {2}mail .*127\.0\.0\.1:9.*\n +→ /m);
  assert.match(stdout, /^fail {2}keys .*must be 32 bytes/m);
  assert.match(
    stdout,
    /^warn {2}settings {6}PUBLISH_RATE_PER_MINUT is set, but nothing reads it\.\n {20}→ If you mean PUBLISH_RATE_PER_MINUTE, rename it\. Otherwise remove it\.$/m,
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
  await sql`update kysely_migration set name = '0001-first' where name = '0001-first-release'`.execute(db);
  assert.match(
    findFailure(await check()),
    /^It .*a version before 1\.0\.0.* → Use an empty database: see docs\/self-hosting\/upgrading\.md\.$/,
  );
  await sql`delete from kysely_migration`.execute(db);
  assert.equal(
    findFailure(await check()),
    `The schema lacks ${migrations.length} migrations, from 0001-first-release on. → Run \`npm run migrate\`; see docs/self-hosting/upgrading.md.`,
  );
  // The checks that need the schema do not run.
  assert.equal((await checkDatabase(settings)).reachable, false);
  for (const name of [...migrations, '9999-later'])
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '')`.execute(db);
  assert.equal(
    findWarning(await check()),
    'The schema is of a later release: it has 9999-later. → The previous release works with it, but only for the time of an upgrade. Upgrade this machine to the later release.',
  );
  assert.equal((await checkDatabase(settings)).reachable, true);
  await sql`delete from kysely_migration where name = '9999-later'`.execute(db);

  const role = `doctor_${randomBytes(4).toString('hex')}`;
  await sql.raw(`create role ${role} login password 'x'`).execute(db);
  try {
    await sql.raw(`grant select on all tables in schema public to ${role}`).execute(db);
    const url = Object.assign(new URL(database.url), { username: role, password: 'x' }).href;
    const { findings } = await checkDatabase({ ...settings, databaseUrl: url, databaseDirectUrl: url });
    assert.match(
      findFailure(findings),
      new RegExp(
        `^The role ${role} cannot read and write \\d+ tables \\(\\w+, \\w+, \\w+ …\\)\\. → Grant it: grant select, insert, update, delete on all tables in schema public to ${role};$`,
      ),
    );
    await sql.raw(`grant insert, update, delete on all tables in schema public to ${role}`).execute(db);
    assert.ok(
      list((await checkDatabase({ ...settings, databaseUrl: url, databaseDirectUrl: url })).findings, 'ok').includes(
        `database: The role ${role} can read and write every table; migrations need the role that owns them.`,
      ),
    );
  } finally {
    await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db);
  }
});

test('an unfinished restore is named, because no worker would start', async () => {
  await sql`insert into restores default values`.execute(database.db);
  assert.equal(
    findFailure((await checkDatabase(settings)).findings),
    'A restore from a backup has started and has not ended: no worker can start. → Complete `npm run restore`; see docs/self-hosting/backup.md.',
  );
  await sql`update restores set finished_at = now()`.execute(database.db);
  assert.deepEqual(list((await checkDatabase(settings)).findings, 'fail'), []);
  await sql`delete from restores`.execute(database.db);
});

test('a key that cannot decrypt credentials fails; an unfinished key rotation is named', async () => {
  const [other, file] = [randomBytes(32).toString('base64'), join(home, 'keys', 'credentials.key')];
  assert.equal(
    findFailure(await checkKeys({ ...settings, credentialsKey: other }, true)),
    '1 of 1 credentials of destinations cannot be decrypted with these keys: nothing is delivered there. → Add the former key after the current one (docs/self-hosting/keys.md), or have the authors reconnect.',
  );
  // Without a schema, no credential is read.
  assert.deepEqual(await checkKeys({ ...settings, credentialsKey: other }, false), [NO_SESSION_KEY]);
  const both = `${other},${(await readFile(file, 'utf8')).trim()}`;
  const signed = { ...settings, jwtKey: 'x' };
  assert.equal(
    findWarning(await checkKeys({ ...signed, credentialsKey: both }, true)),
    '1 of 1 credentials are encrypted with a former key. → Complete the key rotation: run `npm run rotate-credentials` (docs/self-hosting/keys.md).',
  );
  await chmod(file, 0o644);
  assert.equal(
    findWarning(await checkKeys(signed, true)),
    `${file} can be read by other users of this machine. → Run \`chmod 600 ${file}\`.`,
  );
  await chmod(file, 0o600);
});

test('an unreachable site, a forbidden address, and a full or closed folder are named', async () => {
  assert.match(list(await checkDestinations(settings), 'ok').join(), /All 1 sites/);
  const { origin, hostname } = new URL(site);
  assert.equal(
    findWarning(await checkDestinations({ ...settings, allowPrivate: false })),
    `${origin} does not respond: The host ${hostname} is not on the public internet, so it is not called. → Is it down, or does a firewall block it? Deliveries there are retried.`,
  );
  assert.match(
    findFailure([await checkImages({ ...settings, home: '/dev/null/x' })]),
    /^The picture storage cannot be written to: .+ → Allow the user of these processes to write to COURANT_HOME\.$/,
  );
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
