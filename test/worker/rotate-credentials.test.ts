/** Tests `npm run rotate-credentials`: reseals all credentials without losing any. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { connectDestination } from '../../store/connections/connect.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { type Database, openDatabase } from '../../store/db/database.ts';
import { loadUnsubscribeKey } from '../../store/mail-links/unsubscribe-token.ts';
import { createSealer, getKeyFile, loadCredentialsKeys, loadSealer, SealError } from '../../store/secrets/sealing.ts';
import { createUser } from '../../store/users/create-user.ts';
import { createTestDatabase } from '../support/environment.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let home: string;
before(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  home = await mkdtemp(join(tmpdir(), 'courant-rotate-'));
});
after(async () => {
  await db.destroy();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const TOKEN = { token: 'a secret of Medium' };

async function connect(sealer: Parameters<typeof connectDestination>[1], username: string): Promise<string> {
  const { id: userId } = await createUser(db, {
    username,
    name: username,
    email: `${username}@example.org`,
    passwordHash: 'x',
    now: new Date(),
  });
  const { id } = await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_c',
    platform: 'medium',
    baseUrl: 'https://medium.example/v1',
    credentials: TOKEN,
    account: { identity: username, name: username },
  });
  return id;
}

async function rotate(env: Record<string, string> = {}): Promise<string> {
  const options = { env: { ...process.env, DATABASE_URL: database.url, COURANT_HOME: home, ...env } };
  return (await promisify(execFile)(process.execPath, ['worker/rotate-credentials-main.ts'], options)).stdout;
}

test('with keys in COURANT_HOME, a new key seals everything and the former key remains for backups and mail links', async () => {
  const former = await loadSealer({ home, key: undefined });
  const links = await loadUnsubscribeKey({ home, key: undefined });
  const ids = [await connect(former, 'ada'), await connect(former, 'bob')];
  const kept = 'Former keys are still needed for older backups and for the links in mails.';
  assert.equal(await rotate(), `Encrypted 2 credentials with the new key. ${kept}\n`);
  const sealer = await loadSealer({ home, key: undefined });
  for (const id of ids) {
    assert.deepEqual((await openConnection(db, sealer, id))?.credentials, TOKEN);
    await assert.rejects(openConnection(db, former, id), SealError);
  }
  assert.equal((await loadCredentialsKeys({ home, key: undefined })).length, 2);
  assert.equal((await stat(getKeyFile(home))).mode & 0o777, 0o600);
  assert.deepEqual(await loadUnsubscribeKey({ home, key: undefined }), links);
  const output = await rotate();
  assert.ok(!output.includes((await readFile(getKeyFile(home), 'utf8')).slice(0, 20)));
});

test('with keys in the environment, the first key seals and the others open, and a second run does nothing', async () => {
  const [former, next] = [randomBytes(32), randomBytes(32)];
  const id = await connect(createSealer(former), 'cyd');
  const others = db.deleteFrom('connections').where('id', '!=', id);
  await others.execute();
  const env = { COURANT_CREDENTIALS_KEY: `${next.toString('base64')}, ${former.toString('hex')}` };
  assert.match(await rotate(env), /Encrypted 1 credentials/);
  assert.deepEqual((await openConnection(db, createSealer(next), id))?.credentials, TOKEN);
  assert.match(await rotate(env), /^Encrypted 0 credentials/);
  const [hint] = (await rotate({ COURANT_CREDENTIALS_KEY: next.toString('base64') })).split('\n');
  const text = 'contains only one key. Put the new key before it, separated by a comma.';
  assert.equal(hint, `COURANT_CREDENTIALS_KEY ${text}`);
});

test('a missing key or setting is reported without a stack', async () => {
  const lost = rotate({ COURANT_CREDENTIALS_KEY: randomBytes(32).toString('base64') });
  await assert.rejects(lost, (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 1);
    assert.doesNotMatch(error.stderr, /^\s+at /m);
    return error.stderr.trim() !== '';
  });
  await assert.rejects(rotate({ DATABASE_URL: 'nonsense' }), (error: { code: number; stderr: string }) => {
    assert.deepEqual([error.code, /DATABASE_URL/.test(error.stderr), /^\s+at /m.test(error.stderr)], [1, true, false]);
    return true;
  });
});

test('a credential in a row changed to another server or platform does not open (A26)', async () => {
  const sealer = createSealer(randomBytes(32));
  const id = await connect(sealer, 'dora');
  const point = (changes: { baseUrl?: string; platform?: string }) =>
    db.updateTable('connections').set(changes).where('id', '=', id).execute();
  await point({ baseUrl: 'https://thief.example/v1' });
  await assert.rejects(openConnection(db, sealer, id), SealError);
  await point({ baseUrl: 'https://medium.example/v1', platform: 'ghost' });
  await assert.rejects(openConnection(db, sealer, id), SealError);
  await point({ platform: 'medium' });
  assert.deepEqual((await openConnection(db, sealer, id))?.credentials, TOKEN);
});
