/** Signing keys of session tokens: rotation, verification and configuration. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fastify } from 'fastify';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import {
  createPrivateKey,
  formatPrivateKeys,
  getSigningKeyFile,
  type KeyRing,
  keySetRoutes,
  loadKeyRing,
} from '../../../api/auth/keys/key-ring.ts';
import { createSessions } from '../../../api/auth/sessions.ts';
import { readApiConfig } from '../../../api/config.ts';

const OWNER = { userId: 'user', sessionId: 'session' };
const NOW = 1_800_000_000;
const issuer = 'https://courant.example';

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'courant-keys-'));
});
after(() => rm(home, { recursive: true, force: true }));

const at = (keys: KeyRing, seconds = 0) =>
  createSessions(keys, { issuer, now: () => new Date((NOW + seconds) * 1000) });
const issue = async (keys: KeyRing) => (await at(keys).issue('courant:session', OWNER)).token;
const load = (key: string) => loadKeyRing({ home, key });

test('the first key of a set signs, all keys verify, and only their public parts are published', async () => {
  const [former, next, foreign] = await Promise.all([createPrivateKey(), createPrivateKey(), createPrivateKey()]);
  const before = await load(JSON.stringify(former));
  const between = await load(formatPrivateKeys([next, former]));
  const afterwards = await load(formatPrivateKeys([next]));
  const old = await issue(before);
  assert.deepEqual(await at(between).verify('courant:session', old), OWNER, 'signed before the change');
  const fresh = await issue(between);
  assert.deepEqual(await at(afterwards).verify('courant:session', fresh), OWNER);
  assert.equal(await at(before).verify('courant:session', fresh), null);
  assert.equal(await at(afterwards).verify('courant:session', old), null, 'once the former key is gone');
  assert.equal(await at(between).verify('courant:session', await issue(await load(JSON.stringify(foreign)))), null);
  assert.equal(between.publicKeys.length, 2);
  assert.equal(new Set(between.publicKeys.map(({ kid }) => kid)).size, 2);
  for (const key of between.publicKeys) {
    assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    assert.deepEqual([key.alg, key.crv, key.kty, key.use], ['ES256', 'P-256', 'EC', 'sig']);
  }
  assert.equal(between.signing.kid, between.publicKeys[0]?.kid);
  const app = fastify();
  await app.register(keySetRoutes, { keyRing: between });
  const published = await app.inject('/.well-known/jwks.json');
  assert.deepEqual(published.json(), { keys: between.publicKeys });
  assert.equal(published.headers['cache-control'], 'public, max-age=300');
});

test('`npm run rotate-signing-key` adds a new first key and keeps two former ones', async () => {
  const env = {
    ...process.env,
    COURANT_HOME: home,
    DATABASE_URL: 'postgres://nobody@localhost/none',
    COURANT_JWT_KEY: '',
  };
  const rotate = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['api/auth/keys/rotate-signing-key-main.ts'], {
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(
      stdout,
      'Created a new signing key. The former key still verifies tokens. Restart every instance of the API.\n',
    );
  };
  const refuse = (more: Record<string, string>) => {
    const script = 'api/auth/keys/rotate-signing-key-main.ts';
    const options = { env: { ...env, ...more }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], options);
    assert.deepEqual([status, stdout], [1, '']);
    return stderr;
  };
  const first = await loadKeyRing({ home, key: undefined });
  const token = await issue(first);
  rotate();
  const second = await loadKeyRing({ home, key: undefined });
  assert.notEqual(second.signing.kid, first.signing.kid);
  assert.deepEqual(await at(second).verify('courant:session', token), OWNER);
  for (let n = 0; n < 3; n++) rotate();
  const last = await loadKeyRing({ home, key: undefined });
  assert.equal(last.publicKeys.length, 3);
  assert.equal(await at(last).verify('courant:session', token), null);
  assert.equal(getSigningKeyFile(home), join(home, 'keys', 'jwt.json'));
  assert.equal((await stat(getSigningKeyFile(home))).mode & 0o777, 0o600);
  assert.equal(
    refuse({ COURANT_JWT_KEY: formatPrivateKeys([await createPrivateKey()]) }),
    'The keys are set in COURANT_JWT_KEY. Add a new key before them there, as described in docs/self-hosting/keys.md.\n',
  );
  assert.match(refuse({ DATABASE_URL: '' }), /^The configuration has a problem:\n {2}- DATABASE_URL is missing: .*\n$/);
  assert.deepEqual((await loadKeyRing({ home, key: undefined })).publicKeys, last.publicKeys);
});

test('unsigned, forged, expired and future tokens and those of another audience or issuer are rejected (A19)', async () => {
  const jwk = await createPrivateKey();
  const keys = await load(JSON.stringify(jwk));
  const key = await importJWK(jwk, 'ES256');
  const claims = { sub: 'user', sid: 'session', aud: 'courant:session', iss: issuer, iat: NOW, exp: NOW + 3600 };
  const sign = (more: object, header: object = {}) =>
    new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'ES256', kid: keys.signing.kid, ...header })
      .sign(key);
  const verify = (token: string) => at(keys).verify('courant:session', token);
  assert.deepEqual(await verify(await sign({})), OWNER);

  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const unsigned = ['none', 'None', 'NONE', ''].map(
    (alg) => `${encode({ alg, kid: keys.signing.kid })}.${encode(claims)}.`,
  );
  const publicKey = await importJWK(keys.publicKeys[0] ?? {}, 'ES256');
  const head = `${encode({ alg: 'HS256', kid: keys.signing.kid })}.${encode(claims)}`;
  const confused = `${head}.${createHmac('sha256', await exportSPKI(publicKey as never))
    .update(head)
    .digest('base64url')}`;
  const refused = {
    ...Object.fromEntries(unsigned.map((token, n) => [`unsigned ${n}`, token])),
    'signed with the public key': confused,
    'of another audience': await sign({ aud: 'courant:stream' }),
    'of no audience': await sign({ aud: undefined }),
    'of another site': await sign({ iss: 'https://evil.example' }),
    expired: await sign({ iat: NOW - 3700, exp: NOW - 100 }),
    'without an end': await sign({ exp: undefined }),
    'older than one may be, whatever it says': await sign({ iat: NOW - 90_000, exp: NOW + 90_000 }),
    'of the future': await sign({ iat: NOW + 60 }),
    'not yet valid': await sign({ nbf: NOW + 60 }),
    'of before there were sessions': await sign({ sid: undefined }),
    'with a session that is no text': await sign({ sid: { $ne: null } }),
    'of nobody': await sign({ sub: undefined }),
    'with an unknown critical extension': `${encode({ alg: 'ES256', kid: keys.signing.kid, crit: ['x'], x: 1 })}.${(await sign({})).split('.').slice(1).join('.')}`,
    'naming another key': await sign({}, { kid: 'another' }),
    'with a key of its own': await sign({}, { kid: 'x', jwk: keys.publicKeys[0] }),
  };
  for (const [what, token] of Object.entries(refused)) assert.equal(await verify(token), null, what);
});

test('a file without a private key prevents the start, and the error names the file', async () => {
  const broken = join(home, 'broken');
  await mkdir(join(broken, 'keys'), { recursive: true });
  await writeFile(getSigningKeyFile(broken), '{"keys":[]}', { mode: 0o600 });
  const message = `no private ES256 key found in ${getSigningKeyFile(broken)}`;
  await assert.rejects(loadKeyRing({ home: broken, key: undefined }), { message });
});

test('tokens of each audience have their lifetime', async () => {
  const keys = await load(JSON.stringify(await createPrivateKey()));
  const lifetimes = { session: 3_600, cookie: 2_592_000, stream: 300, export: 300 };
  for (const [name, seconds] of Object.entries(lifetimes) as ['session' | 'cookie', number][]) {
    const audience = `courant:${name}` as const;
    const { token, expiresAt } = await createSessions(keys, {
      issuer,
      now: () => new Date(NOW * 1_000 + 999),
    }).issue(audience, OWNER);
    assert.deepEqual(expiresAt, new Date((NOW + seconds) * 1_000), name);
    assert.deepEqual(await at(keys, seconds + 9).verify(audience, token), OWNER, name);
    assert.equal(await at(keys, seconds + 11).verify(audience, token), null, name);
    const [head] = token.split('.');
    assert.deepEqual(JSON.parse(Buffer.from(head ?? '', 'base64url').toString()), {
      ...{ alg: 'ES256', kid: keys.signing.kid, typ: 'JWT' },
    });
  }
});

test('clocks can differ by at most ten seconds', async () => {
  const keys = await load(JSON.stringify(await createPrivateKey()));
  const token = await issue(keys);
  for (const seconds of [-9, 0, 3600, 3609])
    assert.deepEqual(await at(keys, seconds).verify('courant:session', token), OWNER, `${seconds}`);
  for (const seconds of [-12, 3612])
    assert.equal(await at(keys, seconds).verify('courant:session', token), null, `${seconds}`);
});

test('a malformed COURANT_JWT_KEY prevents the start, and the error does not quote it', async () => {
  const key = await createPrivateKey();
  const { d: _, ...publicOnly } = key;
  for (const text of [
    'supersecret',
    '{"keys":[]}',
    JSON.stringify(publicOnly),
    JSON.stringify({ ...key, kty: 'OKP' }),
    JSON.stringify({ ...key, crv: 'P-384' }),
    JSON.stringify({ ...key, x: 1 }),
    JSON.stringify({ ...key, y: undefined }),
    '{"keys":[null]}',
    JSON.stringify({ keys: [key, publicOnly] }),
    '[]',
    'null',
  ]) {
    assert.throws(
      () => readApiConfig({ DATABASE_URL: 'postgres://x@localhost/x', COURANT_JWT_KEY: text }),
      ({ message }: Error) => message.includes('COURANT_JWT_KEY is malformed') && !message.includes(text.slice(0, 20)),
      text.slice(0, 20),
    );
  }
  readApiConfig({ DATABASE_URL: 'postgres://x@localhost/x', COURANT_JWT_KEY: formatPrivateKeys([key]) });
});
