/** Tokens in the unsubscribe links of digests. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadUnsubscribeKey, signUnsubscribe, verifyUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { runs } from '../../support/property-runs.ts';

test('a token names the user it was signed for, and is invalid with another key', () => {
  const [key, other] = [randomBytes(32), randomBytes(32)];
  for (const userId of ['1', '987654321', randomUUID()]) {
    const token = signUnsubscribe(key, 'digest', userId);
    assert.equal(verifyUnsubscribe(key, 'digest', token), userId);
    assert.equal(verifyUnsubscribe(other, 'digest', token), null);
    assert.equal(encodeURIComponent(token), token);
  }
});

test('any other text is rejected: changed, cut, extended, or of another user', () => {
  const key = randomBytes(32);
  const [mine, theirs] = [signUnsubscribe(key, 'digest', '17'), signUnsubscribe(key, 'digest', '18')];
  for (let index = 0; index < mine.length; index++) {
    for (const letter of ['A', 'b', '1', '.', '-', 'é', '\n']) {
      const changed = mine.slice(0, index) + letter + mine.slice(index + 1);
      if (changed !== mine) assert.equal(verifyUnsubscribe(key, 'digest', changed), null, changed);
    }
    assert.equal(verifyUnsubscribe(key, 'digest', mine.slice(0, index)), null);
  }
  const [, , theirMac] = theirs.split('.');
  for (const token of [
    `u1.17.${theirMac}`,
    `${mine}=`,
    `${mine}\n`,
    ` ${mine}`,
    `${mine}.`,
    mine.toUpperCase(),
    `u1..${theirMac}`,
  ]) {
    assert.equal(verifyUnsubscribe(key, 'digest', token), null, token);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => verifyUnsubscribe(key, 'digest', text) === null),
    { numRuns: runs(100) },
  );
});

test('the key is derived, not the credentials key itself, and stays the same after a restart', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'courant-unsubscribe-'));
  t.after(() => rm(home, { recursive: true }));
  const [first, second] = [
    await loadUnsubscribeKey({ home, key: undefined }),
    await loadUnsubscribeKey({ home, key: undefined }),
  ];
  assert.deepEqual(first, second);
  const credentials = randomBytes(32);
  const derived = await loadUnsubscribeKey({ home, key: credentials.toString('hex') });
  assert.notDeepEqual(derived, credentials);
  const withCredentials = createHmac('sha256', credentials).update('digest-unsubscribe\n17').digest('base64url');
  assert.equal(verifyUnsubscribe(derived, 'digest', `u1.17.${withCredentials}`), null);
});

test('a user id with other characters throws', () => {
  const key = randomBytes(32);
  for (const userId of ['', 'a.b', 'a b', 'a\n', 'é', 'x'.repeat(65)]) {
    assert.throws(() => signUnsubscribe(key, 'digest', userId), TypeError);
  }
});
