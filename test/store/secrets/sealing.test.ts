/** Sealed credentials and the key file. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSealer, loadDerivedKey, loadSealer, SealError } from '../../../store/secrets/sealing.ts';
import { runs } from '../../support/property-runs.ts';

test('a sealed value opens only in the same context with the same key', () => {
  const sealer = createSealer(randomBytes(32));
  const other = createSealer(randomBytes(32));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
      const sealed = sealer.seal(plain, context);
      assert.equal(sealer.open(sealed, context), plain);
      assert.throws(() => sealer.open(sealed, `${context}x`), {
        name: 'SealError',
        message: 'the sealed value does not open with this key; check whether COURANT_CREDENTIALS_KEY was changed',
      });
      assert.throws(() => other.open(sealed, context), SealError);
    }),
    { numRuns: runs(100) },
  );
});

test('the first of several keys seals, and each opens what it has sealed', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];
  const before = createSealer(one);
  const after = createSealer([two, one]);
  const sealed = before.seal('secret', 'place');
  assert.equal(after.open(sealed, 'place'), 'secret');
  assert.deepEqual([before.isCurrent(sealed), after.isCurrent(sealed)], [true, false]);
  const resealed = after.seal('secret', 'place');
  assert.equal(after.isCurrent(resealed), true);
  assert.throws(() => before.open(resealed, 'place'), {
    message: `the sealed value needs the key ${resealed.subarray(1, 5).toString('hex')}; check whether COURANT_CREDENTIALS_KEY was changed`,
  });
  const unknown = Buffer.concat([Buffer.from([2]), sealed.subarray(1)]);
  assert.equal(before.isCurrent(unknown), false);
  assert.throws(() => before.open(unknown, 'place'), { message: 'the sealed value has an unknown format' });
  assert.throws(() => createSealer([]), { name: 'SealError', message: 'there is no credentials key' });
});

test('a changed byte is detected', () => {
  const sealer = createSealer(randomBytes(32));
  const sealed = sealer.seal('secret', 'place');
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => sealer.open(changed, 'place'), SealError);
  }
});

test('ten processes at once create one key file, which only its owner can read', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'courant-sealing-'));
  t.after(() => rm(home, { recursive: true }));
  const sealers = await Promise.all(Array.from({ length: 10 }, () => loadSealer({ home, key: undefined })));
  const sealed = sealers[0]?.seal('x', 'y') ?? Buffer.alloc(0);
  for (const sealer of sealers) assert.equal(sealer.open(sealed, 'y'), 'x');
  const file = join(home, 'keys', 'credentials.key');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(Buffer.from(await readFile(file, 'utf8'), 'base64').length, 32);
});

test('a key of the wrong length in the environment is rejected', async () => {
  for (const key of ['dG9vIHNob3J0', `${'a'.repeat(64)}bb`, `g${'a'.repeat(63)}`]) {
    await assert.rejects(loadSealer({ home: '/nowhere', key }), {
      name: 'SealError',
      message: 'the credentials key must be 32 bytes, as base64 or hex',
    });
  }
});

test('several keys are separated by commas or lines, as hexadecimal digits in any case or base64', async () => {
  const [one, two] = [Buffer.alloc(32, 0xab), Buffer.alloc(32, 2)];
  const load = (key: string) => loadSealer({ home: '/nowhere', key });
  const sealed = createSealer(two).seal('secret', 'place');
  const [hex, base64] = [one.toString('hex').toUpperCase(), two.toString('base64')];
  for (const key of [`${hex},${base64}`, ` ${hex} \n\n ${base64} \n`]) {
    const sealer = await load(key);
    assert.equal(sealer.open(sealed, 'place'), 'secret');
    assert.equal(createSealer(one).open(sealer.seal('new', 'place'), 'place'), 'new');
  }
});

test('a derived key depends on its purpose and on the oldest key only', async () => {
  const [one, two] = [Buffer.alloc(32, 1).toString('hex'), Buffer.alloc(32, 2).toString('hex')];
  const derive = async (key: string, purpose = 'links') =>
    (await loadDerivedKey({ home: '/nowhere', key }, purpose)).toString('hex');
  assert.equal(await derive(`${two},${one}`), await derive(one));
  assert.notEqual(await derive(two), await derive(one));
  assert.notEqual(await derive(one, 'sessions'), await derive(one));
  assert.equal((await derive(one)).length, 64);
});
