/**
 * The overview of the settings in the states of an account, with all attributes.
 * `node --test --test-update-snapshots test/api/web/overview-states.test.ts` writes them.
 */
import { after, before, test } from 'node:test';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';
import { openVisitor, type Page, signInAgain } from '../accounts/settings-support.ts';
import { recordStates } from './support/record-states.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1', now: () => NOW });
});
after(() => api.close());

test('the overview of the settings', async (context) => {
  const { db } = api;
  const visitor = await openVisitor(api, 'overview-author');
  const { userId } = visitor;
  const pages: [title: string, page: Page][] = [];
  const show = async (title: string) => pages.push([title, await visitor.get('/desk/settings')]);
  const nextDueAt = new Date('2026-11-23T08:00:00Z');
  const changeDigest = (values: object) =>
    db
      .updateTable('digestSettings')
      .set({ weekday: 7, hour: 8, zone: 'Asia/Tokyo', nextDueAt, ...values })
      .where('userId', '=', userId)
      .execute();
  const silence = (type: 'NEW_FOLLOWER' | 'NEW_COMMENT') =>
    db.insertInto('notificationPreferences').values({ userId, type, stream: false }).execute();

  await changeDigest({ frequency: 'weekly' });
  await show('a new account');
  await createDeveloperToken(db, { userId, name: 'active', now: NOW });
  await createDeveloperToken(db, { userId, name: 'expired', now: NOW });
  await db.updateTable('developerTokens').set({ expiresAt: NOW }).where('name', '=', 'expired').execute();
  await insertConnection(api, userId, ['blogsite_a', 'forem']);
  await silence('NEW_FOLLOWER');
  await changeDigest({ frequency: 'daily' });
  await show('one active connection and token, one silenced type, a daily digest');
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', userId).execute();
  await db
    .updateTable('developerTokens')
    .set({ expiresAt: new Date(NOW.getTime() + 1) })
    .where('name', '=', 'expired')
    .execute();
  await silence('NEW_COMMENT');
  await signInAgain(api, visitor);
  await changeDigest({ frequency: 'monthly' });
  await show('one refused connection, two tokens, silenced types and sessions, a monthly digest');
  await changeDigest({ frequency: 'off', nextDueAt: null });
  await show('no digest');
  await changeDigest({ frequency: 'weekly', nextDueAt: null, stoppedAt: NOW, stoppedReason: '550' });
  await show('a stopped digest');
  recordStates(api, context, 'overview', pages);
});
