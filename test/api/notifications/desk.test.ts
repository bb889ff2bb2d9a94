/** The list of notifications at the desk, and its two pages of settings, without script. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addNotification, buildArticleLink, type NewNotification } from '../../../store/notifications/add.ts';
import type { NotificationType } from '../../../store/notifications/types.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { type DeskVisitor, visitDesk } from '../../support/api/desk.ts';
import { recordHtml } from '../../support/api/record-html.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ARTICLE_ID = '00000000-0000-4000-8000-000000000000';

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1', now: () => NOW });
});
after(() => api.close());

interface Author {
  id: string;
  desk: DeskVisitor;
  notify(type: NotificationType, payload: object, link?: string | null): Promise<void>;
  /** Ids of unread notifications, oldest first. */
  listUnread(): Promise<string[]>;
}

let keys = 0;
async function createAuthor(name: string): Promise<Author> {
  const { id } = await api.createAuthor(name);
  return {
    ...{ id, desk: await visitDesk(api, id) },
    async notify(type, payload, link = null) {
      keys += 1;
      const event = { userId: id, type, payload: { postTitle: '', ...payload }, dedupeKey: `${keys}`, now: NOW };
      await api.db
        .transaction()
        .execute((tx) => addNotification(tx, { ...event, ...(link !== null && { link }) } as NewNotification));
    },
    async listUnread() {
      const unread = api.db
        .selectFrom('notifications')
        .select('id')
        .where('userId', '=', id)
        .where('readAt', 'is', null);
      return (await unread.orderBy('number').execute()).map((row) => String(row.id));
    },
  };
}

const readMain = (page: string) =>
  page
    .replace(/^[\s\S]*?<div id="notifications">/, '<div id="notifications">')
    .replace(/<\/main>[\s\S]*$/, '')
    .replaceAll(/(n-|value=")[0-9a-f-]{36}"/g, '$1{id}"')
    .replaceAll(/(n-|value=")\d+"/g, '$1{id}"');

test('the list of notifications has the recorded HTML', async (context) => {
  const { id, desk, notify, listUnread } = await createAuthor('notified');
  const parts: Record<string, string> = { 'no notifications': readMain((await desk.get('/desk/notifications')).text) };
  await insertConnection(api, id, ['cms_site', 'ghost']);
  const copy = { postTitle: 'Title', sharedUrl: 'https://there.example/1' };
  await notify('NEW_COMMENT', { actorName: 'Bo <b>', postTitle: 'Title' }, '/title#comment-1');
  await notify('COMMENT_REPLY', { postTitle: '' }, null);
  await notify('ACCEPTED_ANSWER', { actorName: 'Bo', postTitle: 'Title' });
  await notify('NEW_FOLLOWER', { actorName: 'Bo' }, '/authors/bo');
  await notify('CROSS_POST_SUCCESS', { ...copy, platform: 'CMS_SITE' }, buildArticleLink(ARTICLE_ID));
  await notify('CROSS_POST_SUCCESS', { ...copy, platform: 'OTHER', sharedUrl: 'javascript:alert(1)' });
  await notify('CROSS_POST_FAILED', { postTitle: 'Title', platform: 'BLOGSITE_A', reason: 'It <is> full.' });
  await notify('FEATURED_ROUNDUP', { postTitle: 'Title' });
  const [first] = await listUnread();
  await desk.post('/desk/notifications/read', { id: first ?? '' });
  parts['eight notifications, of which seven are unread'] = readMain((await desk.get('/desk/notifications')).text);
  await desk.post('/desk/notifications/read', { upTo: (await listUnread()).at(-1) ?? '' });
  parts['all are read'] = readMain((await desk.get('/desk/notifications')).text).slice(0, 300);
  parts['nothing older'] = readMain((await desk.get('/desk/notifications?before=1')).text);
  recordHtml(context, import.meta.dirname, 'notifications', parts);
});

test('fifty notifications are a page; older ones follow', async () => {
  const { desk, notify, listUnread } = await createAuthor('often-notified');
  for (let n = 1; n <= 50; n++) await notify('NEW_FOLLOWER', { actorName: `Number ${n}.` });
  const one = await desk.get('/desk/notifications');
  assert.doesNotMatch(one.text, />Older</);
  await notify('NEW_FOLLOWER', { actorName: 'Number 51.' });
  const { text } = await desk.get('/desk/notifications');
  assert.match(text, /Number 51\.[\s\S]*Number 2\./);
  assert.doesNotMatch(text, /Number 1\.</);
  assert.match(text, /role="status">51 unread</);
  const [, path = ''] = /<a class="button" href="([^"]+)">Older<\/a>/.exec(text) ?? [];
  assert.equal(path, '/desk/notifications?before=2');
  const older = (await desk.get(path)).text;
  assert.match(older, /Number 1\.</);
  assert.doesNotMatch(older, /Number 2\.<|Mark all as read|>Older</);
  for (const before of ['0', '-1', '1.5', 'x1', '1x', '1'.repeat(16), '51&before=2', '']) {
    assert.match((await desk.get(`/desk/notifications?before=${before}`)).text, /Number 51\./, before);
  }
  assert.equal((await listUnread()).length, 51);
});

test('notifications are marked as read one by one, or up to the newest that was shown', async () => {
  const { desk, notify, listUnread } = await createAuthor('reading');
  for (let n = 0; n < 4; n++) await notify('NEW_FOLLOWER', { actorName: `Number ${n}` });
  const [oldest = '', , third = '', newest = ''] = await listUnread();
  assert.match((await desk.submit('/desk/notifications/read', { id: oldest })).text, /<p>Marked as read\.<\/p>/);
  assert.equal((await listUnread()).length, 3);
  await desk.submit('/desk/notifications/read');
  assert.equal((await listUnread()).length, 3, 'an empty form marks nothing');
  const all = await desk.submit('/desk/notifications/read', { upTo: third });
  assert.match(all.text, /<p>All marked as read\.<\/p>/);
  assert.deepEqual(await listUnread(), [newest]);
  const other = await createAuthor('other-reader');
  await other.desk.submit('/desk/notifications/read', { id: newest });
  assert.deepEqual(await listUnread(), [newest]);
});

test('preferences are shown and changed for every type of notification', async (context) => {
  const { desk, id } = await createAuthor('choosing');
  const path = '/desk/settings/notifications';
  const readTable = (page: string) => /<p>The <a[\s\S]*<\/form>/.exec(page)?.[0] ?? '';
  const shown = readTable((await desk.get(path)).text);
  recordHtml(context, import.meta.dirname, 'preferences', { 'all on': shown });
  const saved = await desk.submit(path, { 'stream.NEW_COMMENT': 'on', 'digest.NEW_FOLLOWER': 'on' });
  assert.match(saved.text, /<p>Saved\. The changes apply to later notifications\.<\/p>/);
  const checked = [...readTable(saved.text).matchAll(/name="([^"]+)" checked/g)].map(([, name]) => name);
  assert.deepEqual(checked, ['stream.NEW_COMMENT', 'digest.NEW_FOLLOWER']);
  const rows = await api.db.selectFrom('notificationPreferences').selectAll().where('userId', '=', id).execute();
  assert.ok(rows.length > 0);
});

const readDigestPage = (page: string) =>
  (/<div data-keep[\s\S]*|<p>A mail to[\s\S]*/.exec(page)?.[0] ?? page)
    .replace(/<\/main>[\s\S]*$/, '')
    .replace(/<datalist id="zones">[\s\S]*<\/datalist>/, '<datalist id="zones"></datalist>');

test('the page of digest settings has the recorded HTML in all its states', async (context) => {
  const { desk, id } = await createAuthor('digested');
  const path = '/desk/settings/digest';
  const open = async () => readDigestPage((await desk.get(path)).text);
  const set = (values: object) => api.db.updateTable('digestSettings').set(values).where('userId', '=', id).execute();
  await set({ nextDueAt: new Date('2026-11-23T08:00:00Z') });
  const parts: Record<string, string> = { weekly: await open() };
  await set({ nextDueAt: null, frequency: 'off', zone: 'Europe/Lisbon', sendEmpty: true });
  parts.off = (await open()).slice(0, 400);
  await set({ stoppedAt: NOW, stoppedReason: '550 <unknown>' });
  parts['stopped, with a reason'] = (await open()).slice(0, 500);
  await set({ stoppedReason: null });
  parts['stopped, without a reason'] = (await open()).slice(0, 500);
  const wrong = { frequency: 'daily', weekday: '8', hour: '100', zone: 'Mars/<Base>', sendEmpty: 'on' };
  const refused = await desk.post(path, wrong);
  parts['wrong input'] = readDigestPage(refused.text);
  recordHtml(context, import.meta.dirname, 'digest-settings', parts);
});

test('the form of digest settings lists every time zone, with UTC first', async () => {
  const { desk } = await createAuthor('zoned');
  const { text } = await desk.get('/desk/settings/digest');
  const [, list = ''] = /<datalist id="zones">([\s\S]*?)<\/datalist>/.exec(text) ?? [];
  const zones = [...list.matchAll(/<option value="([^"]+)">/g)].map(([, zone]) => zone);
  assert.equal(zones[0], 'UTC');
  assert.equal(new Set(zones).size, zones.length);
  assert.deepEqual(new Set(zones), new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]));
});

test('a saved form of digest settings changes all of them', async () => {
  const { desk, id } = await createAuthor('scheduling');
  const path = '/desk/settings/digest';
  const form = { frequency: 'monthly', weekday: '7', hour: '23', zone: ' Asia/Tokyo ', sendEmpty: 'on' };
  assert.match((await desk.submit(path, form)).text, /<p>Digest settings saved\.<\/p>/);
  const read = api.db.selectFrom('digestSettings').select(['frequency', 'weekday', 'hour', 'zone', 'sendEmpty']);
  const readRow = () => read.where('userId', '=', id).executeTakeFirst();
  const stored = { frequency: 'monthly', weekday: 7, hour: 23, zone: 'Asia/Tokyo', sendEmpty: true };
  assert.deepEqual(await readRow(), stored);
  const unknown = await desk.post(path, { ...form, frequency: 'hourly' });
  assert.match(unknown.text, /Choose a frequency from the list\./);
  for (const wrong of [{ weekday: '' }, { hour: '7x' }, { hour: '-1' }, { weekday: '001' }]) {
    assert.doesNotMatch(
      (await desk.post(path, { ...form, ...wrong })).text,
      /Digest settings saved/,
      JSON.stringify(wrong),
    );
  }
  assert.deepEqual(await readRow(), stored);
  const { sendEmpty: _, ...without } = form;
  await desk.submit(path, { ...without, frequency: 'off' });
  assert.deepEqual(await readRow(), { ...stored, frequency: 'off', sendEmpty: false });
});

test('the settings of an account that was deleted meanwhile are an error', async () => {
  const { desk, id } = await createAuthor('deleted-meanwhile');
  await api.db.deleteFrom('digestSettings').where('userId', '=', id).execute();
  for (const answer of [
    await desk.get('/desk/settings/digest'),
    await desk.post('/desk/settings/digest', { frequency: 'off', hour: '1', weekday: '1', zone: 'UTC' }),
  ]) {
    assert.notEqual(answer.status, 200);
    assert.notEqual(answer.status, 303);
    assert.match(answer.text, /account/i);
  }
});
