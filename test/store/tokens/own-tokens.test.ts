/** An author's developer tokens: limits, lists and refusals. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSession } from '../../../store/sessions/open-session.ts';
import { createDeveloperToken, findTokenOwner, revokeDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import {
  countOwnTokens,
  createOwnToken,
  listOwnTokens,
  MAX_DEVELOPER_TOKENS,
} from '../../../store/tokens/own-tokens.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const at = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

async function signIn() {
  const userId = await ledger.addAuthor();
  const { sessionId } = await openSession(ledger.db, { userId, userAgent: null, now: NOW });
  return { userId, sessionId };
}

test('a created token belongs to its author, and its end is shown', async () => {
  const { userId, sessionId } = await signIn();
  const id = crypto.randomUUID();
  const options = { userId, sessionId, name: 'CI', expiresAt: at(1), now: NOW, id };
  const { token } = await createOwnToken(ledger.db, options);
  assert.match(token, /^courant_[0-9a-f]{48}$/);
  await ledger.addConnection(userId);
  await ledger.db.updateTable('users').set({ username: 'owner' }).where('id', '=', userId).execute();
  assert.deepEqual(await findTokenOwner(ledger.db, token, NOW), {
    ...{ tokenId: id, lastUsedAt: null, userId, username: 'owner', suspended: false, emailConfirmed: true },
    platforms: { blogsite_a: 'forem' },
  });
  const lastUsedAt = new Date('2026-11-01T23:30:00Z');
  await ledger.db.updateTable('developerTokens').set({ lastUsedAt }).where('id', '=', id).execute();
  assert.deepEqual(await listOwnTokens(ledger.db, userId, NOW), [
    {
      ...{ id, name: 'CI', lastFour: token.slice(-4), createdAt: NOW, expiresAt: at(1) },
      lastUsedOn: '2026-11-01',
    },
  ]);
  await ledger.db
    .updateTable('users')
    .set({ suspendedAt: NOW, emailConfirmedAt: null })
    .where('id', '=', userId)
    .execute();
  const owner = await findTokenOwner(ledger.db, token, NOW);
  assert.deepEqual([owner?.suspended, owner?.emailConfirmed], [true, false]);
});

test('the same form creates one token, and names it only to its owner', async () => {
  const first = await signIn();
  const second = await signIn();
  const id = crypto.randomUUID();
  const create = (who: typeof first) =>
    createOwnToken(ledger.db, { ...who, name: 'CI', expiresAt: null, now: NOW, id });
  await create(first);
  const advice = 'A token is shown once and never again. If you did not copy it, revoke it and create another one.';
  await assert.rejects(create(first), {
    code: 'ALREADY_MADE',
    message: `This form was already sent and created “CI”. ${advice}`,
  });
  await assert.rejects(create(second), {
    code: 'ALREADY_MADE',
    message: `This form was already sent and created a token. ${advice}`,
  });
});

test('an author has twenty valid tokens at most', async () => {
  const { userId, sessionId } = await signIn();
  const create = (expiresAt: Date | null = null) =>
    createOwnToken(ledger.db, { userId, sessionId, name: 'CI', expiresAt, now: NOW });
  await createDeveloperToken(ledger.db, { userId, name: 'expired', expiresAt: NOW, now: at(-1) });
  await createDeveloperToken(ledger.db, { userId: (await signIn()).userId, name: 'of another author', now: NOW });
  for (let count = 1; count < MAX_DEVELOPER_TOKENS; count++) await create();
  const { id: tokenId } = await create(new Date(NOW.getTime() + 1));
  assert.equal(await countOwnTokens(ledger.db, userId, NOW), 20);
  await assert.rejects(create(), {
    code: 'TOO_MANY',
    message: 'You have 20 developer tokens, which is the maximum. Revoke one that you no longer use first.',
  });
  assert.equal(await revokeDeveloperToken(ledger.db, { userId, tokenId, now: NOW }), true);
  assert.equal(await revokeDeveloperToken(ledger.db, { userId, tokenId, now: NOW }), false);
  await create();
});

test('a session that has ended creates no token', async () => {
  const { userId, sessionId } = await signIn();
  await ledger.db.updateTable('sessions').set({ endedAt: NOW }).where('userId', '=', userId).execute();
  const created = createOwnToken(ledger.db, { userId, sessionId, name: 'CI', expiresAt: null, now: NOW });
  await assert.rejects(created, { code: 'UNAUTHENTICATED', message: 'The session has ended. Sign in again.' });
  assert.equal(await countOwnTokens(ledger.db, userId, NOW), 0);
});

test('tokens are listed newest first, expired ones for 30 days', async () => {
  const { userId } = await signIn();
  for (const [name, created, expiresAt] of [
    ['listed', 1, at(2)],
    ['gone', 2, at(1)],
    ['valid', 3, undefined],
  ] as const) {
    await createDeveloperToken(ledger.db, { userId, name, ...(expiresAt && { expiresAt }), now: at(created) });
  }
  const listed = await listOwnTokens(ledger.db, userId, at(31));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['valid', 'listed'],
  );
});
