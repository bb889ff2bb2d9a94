/** Requests with a former password that overlap a password reset. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deleteAccount } from '../../../api/accounts/deletion/settings.ts';
import { changePassword } from '../../../api/accounts/password/settings.ts';
import { createNamedToken } from '../../../api/accounts/tokens/tokens.ts';
import { login } from '../../../api/auth/login.ts';
import { endSessions } from '../../../store/sessions/end-sessions.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { listSessions } from '../../../store/sessions/session-status.ts';
import { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { findUserWithPassword } from '../../../store/users/find-user.ts';
import { verifyPassword } from '../../../store/users/passwords.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { hashCheaply } from '../../support/api/passwords.ts';
import { waitForLock } from '../../support/database/locks.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const OLD = 'a good long password';
const CLIENT = { address: '203.0.113.9', userAgent: 'a thief' };

test('a login with the former password that overlaps a reset opens no session', async () => {
  const { userId, email } = await createPerson('robbed');
  const outcome = await duringReset(userId, () => login(api.accounts, CLIENT, { email, password: OLD }));
  assert.equal(outcome, 'UNAUTHENTICATED');
  assert.deepEqual(await listSessions(api.db, userId, new Date()), []);
});

test('a password change that overlaps a reset does not replace the new password', async () => {
  const { userId } = await createPerson('contested');
  const { sessionId } = await openSession(api.db, { userId, userAgent: null, now: new Date() });
  const change = { currentPassword: OLD, newPassword: 'the password of a thief' };
  const outcome = await duringReset(userId, () => changePassword(api.accounts, CLIENT, { userId, sessionId }, change));
  assert.equal(outcome, 'WRONG_PASSWORD');
  const { passwordHash } = await api.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  assert.equal(await verifyPassword(passwordHash, 'the new password of its owner'), true);
});

test('an account deletion with the former password that overlaps a reset deletes nothing', async () => {
  const { userId } = await createPerson('mourned');
  const request = { userId, password: OLD, address: CLIENT.address };
  const deps = { db: api.db, now: () => new Date(), onOutboxWrite: () => undefined };
  assert.equal(await duringReset(userId, () => deleteAccount(deps, request)), 'WRONG_PASSWORD');
  assert.ok(await findUserWithPassword(api.db, userId));
});

test('a request for a developer token that overlaps a password reset creates none', async () => {
  const { userId } = await createPerson('persistent');
  const { sessionId } = await openSession(api.db, { userId, userAgent: null, now: new Date() });
  const request = { name: 'of a thief', expiresAt: null };
  const outcome = await duringReset(userId, () =>
    createNamedToken({ db: api.db, now: () => new Date() }, { userId, sessionId }, request),
  );
  assert.equal(outcome, 'UNAUTHENTICATED');
  assert.deepEqual(await listOwnTokens(api.db, userId, new Date()), []);
});

async function createPerson(username: string) {
  const email = `${username}@example.org`;
  const passwordHash = await hashCheaply(OLD);
  const { id } = await createUser(api.db, { username, name: username, email, passwordHash, now: new Date() });
  return { userId: id, email };
}

/**
 * Sets a new password while `act` waits for the row of the user after checking the former password.
 * Returns the outcome of `act`.
 */
async function duringReset(userId: string, act: () => Promise<unknown>): Promise<string> {
  const passwordHash = await hashCheaply('the new password of its owner');
  let acting = Promise.resolve('nothing');
  await api.db.transaction().execute(async (tx) => {
    await sql`lock table users in exclusive mode`.execute(tx);
    acting = act().then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    await waitForLock(api.db);
    await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    await endSessions(tx, { userId, now: new Date() });
  });
  return acting;
}
