/** Tests that a restore ends sessions, links and mails of the backup. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createLink, findLink, signLink } from '../../../store/mail-links/links.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { endAccessAfterRestore } from '../../../store/restores/restore.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

test('a restore ends all sessions, expires all links and closes all mails', async () => {
  const { db } = database;
  const [now, key] = [new Date(), Buffer.alloc(32, 1)];
  const email = 'ada@example.org';
  const { id: userId } = await createUser(db, { username: 'ada', name: 'Ada', email, passwordHash: 'x', now });
  const { sessionId } = await openSession(db, { userId, userAgent: null, now });
  const link = { id: randomUUID(), purpose: 'reset_password', email } as const;
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await createLink(db, { ...link, userId, subscriberId: null, expiresAt, now });
  await enqueueMail(db, { kind: 'reset_password', userId, email, now });
  const token = signLink(key, { ...link, subjectId: userId });
  const read = async (at: Date) => [
    (await findSessionStatus(db, { sessionId, userId, now: at })).state,
    (await findLink(db, key, { token, purpose: 'reset_password', now: at }))?.state,
    (await db.selectFrom('mails').select('state').executeTakeFirst())?.state,
  ];
  assert.deepEqual(await read(now), ['open', 'open', 'pending']);
  assert.deepEqual(await endAccessAfterRestore(db, now), { sessions: 1, links: 1, mails: 1 });
  assert.deepEqual(await read(now), ['ended', 'expired', 'unknown']);
  assert.deepEqual(await endAccessAfterRestore(db, now), { sessions: 0, links: 0, mails: 0 }, 'twice is once');
});
