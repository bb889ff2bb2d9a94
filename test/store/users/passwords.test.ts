/** Password hashing and its queue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import argon2 from 'argon2';
import { hashPassword, verifyPassword } from '../../../store/users/passwords.ts';

test('passwords are argon2id, and a missing account is verified like an existing one', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$/);
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
  assert.equal(await verifyPassword(hash, 'wrong'), false);
  assert.equal(await verifyPassword(null, 'correct horse'), false);
  const longest = 'x'.repeat(1024);
  assert.equal(await verifyPassword(await hashPassword(longest), longest), true);
  await assert.rejects(hashPassword(`${longest}x`), { name: 'RangeError', message: 'password is too long' });
  assert.equal(await verifyPassword(hash, `${longest}x`), false);
});

test('an accented letter is the same from every keyboard', async () => {
  const hash = await hashPassword('cafe\u0301 au lait');
  assert.equal(await verifyPassword(hash, 'caf\u00e9 au lait'), true);
});

test('two passwords are verified at a time; excess ones are rejected, and later ones are accepted again', async () => {
  // A cheaper hash than ours, to shorten the test.
  const hash = await argon2.hash('correct horse', { memoryCost: 1024, timeCost: 2, parallelism: 1 });
  const flood = await Promise.allSettled(Array.from({ length: 150 }, () => verifyPassword(hash, 'wrong')));
  const refused = flood.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 150 - 62);
  const message = 'Too many people are signing in at once. Try again in a few seconds.';
  for (const { reason } of refused) {
    assert.deepEqual([(reason as { code: string }).code, (reason as Error).message], ['RATE_LIMITED', message]);
  }
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
});
