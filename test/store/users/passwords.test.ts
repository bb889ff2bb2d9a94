import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../../store/users/passwords.ts';

test('passwords are argon2id, and a missing account is verified like an existing one', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$/);
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
  assert.equal(await verifyPassword(hash, 'wrong'), false);
  assert.equal(await verifyPassword(null, 'correct horse'), false);
  await assert.rejects(hashPassword('x'.repeat(1025)));
});

test('an accented letter is the same one from every keyboard', async () => {
  const hash = await hashPassword('cafe\u0301 au lait');
  assert.equal(await verifyPassword(hash, 'caf\u00e9 au lait'), true);
});

test('a flood of passwords is worked on two at a time; its end is refused, and what comes later is served again', async () => {
  const hash = await hashPassword('correct horse');
  const flood = await Promise.allSettled(Array.from({ length: 150 }, () => verifyPassword(hash, 'wrong')));
  const refused = flood.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 48);
  for (const { reason } of refused) assert.equal((reason as { code: string }).code, 'RATE_LIMITED');
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
});
