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
