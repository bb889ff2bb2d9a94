import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { requireConfirmed } from '../../../api/auth/session-hook.ts';

const request = (session: FastifyRequest['session']) => ({ session }) as FastifyRequest;
const session = { userId: 'somebody', sessionId: 'a session' };

test('what needs a confirmed address is refused without one, with what to do about it', () => {
  assert.equal(requireConfirmed(request({ ...session, emailConfirmed: true })), 'somebody');
  assert.throws(() => requireConfirmed(request({ ...session, emailConfirmed: false })), {
    code: 'EMAIL_NOT_CONFIRMED',
    message: /open the link in the mail from us/,
  });
  assert.throws(() => requireConfirmed(request(null)), { code: 'UNAUTHENTICATED' });
});
