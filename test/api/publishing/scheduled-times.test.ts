/** The desk shows scheduled times in the author's zone or, if unknown, in the schedule's zone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addArticleNotice } from '../../../store/articles/article-notices.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { type DeskVisitor, visitDesk } from '../../support/api/desk.ts';
import { publish } from '../deliveries/support/open-desk.ts';
import { openWritePage, readNotice } from './support/writing.ts';

const IN_BERLIN = { at: '2090-07-01T23:00', zone: 'Europe/Berlin' };
const IN_TOKYO = /2 Jul 2090, 06:00 Asia\/Tokyo/;

let api: TestApi;
let desk: DeskVisitor;
before(async () => {
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  desk = await visitDesk(api, api.author.id);
});
after(() => api.close());

function chooseZone(zone: string): Promise<unknown> {
  return api.db.updateTable('digestSettings').set({ zone }).where('userId', '=', api.author.id).execute();
}

test('the response to a schedule, the article’s page and the list show the time in the author’s zone', async () => {
  await chooseZone('Asia/Tokyo');
  const { id } = await publish(api, 'Scheduled by form', { published: false });
  const path = `/desk/articles/${id}`;
  const scheduled = await desk.submit(`${path}/schedule`, { ...IN_BERLIN, back: path });
  assert.match(scheduled.text, /It becomes public on 2 Jul 2090, 06:00 Asia\/Tokyo\./);
  const pages = [scheduled.text, (await desk.get('/desk?state=scheduled')).text];
  for (const text of pages) {
    const [, state = ''] = /<p class="article-state">(.*?)<\/p>/.exec(text) ?? [];
    assert.match(state, IN_TOKYO);
  }
});

test('the preview and the response of the editor show times in the author’s zone', async () => {
  await chooseZone('Asia/Tokyo');
  const content = markdown({ title: 'Scheduled by text', scheduled_at: '2090-07-01T21:00:00Z' });
  const shown = await desk.post('/desk/write', { content, intent: 'preview', where: 'document' });
  assert.match(shown.text, /schedules it for <time[^>]*>2 Jul 2090, 06:00 Asia\/Tokyo<\/time>/);
  const writing = await openWritePage(api);
  const when = { date: '2090-07-01', time: '23:00', zone: 'Europe/Berlin', intent: 'schedule' };
  const sent = await writing.send({ ...(await writing.open()).fields, ...when, content });
  assert.match(await readNotice(sent), /It becomes public on 2 Jul 2090, 06:00 Asia\/Tokyo\./);
});

test('without a known zone of the author, a time is shown in the zone in which it was set', async () => {
  await chooseZone('UTC');
  const { id } = await publish(api, 'Scheduled without a zone', { published: false });
  const path = `/desk/articles/${id}`;
  const scheduled = await desk.submit(`${path}/schedule`, { ...IN_BERLIN, back: path });
  assert.match(scheduled.text, /It becomes public on 1 Jul 2090, 23:00 Europe\/Berlin\./);
  assert.match(scheduled.text, /<p class="article-state">.*1 Jul 2090, 23:00 Europe\/Berlin/);
});

test('the page’s script shows the times of an article’s notices in the author’s zone', async () => {
  const { id } = await publish(api, 'Published late');
  const message = 'Scheduled for 2026-07-01T21:00:00.000Z, published 5 minutes late.';
  await addArticleNotice(api.db, {
    articleId: id,
    code: 'published_late',
    message,
    dedupeKey: 'late',
    now: new Date(),
  });
  const { text } = await desk.get(`/desk/articles/${id}`);
  assert.match(
    text,
    /Scheduled for <time datetime="2026-07-01T21:00:00.000Z">1 Jul 2026, 21:00 UTC<\/time>, published/,
  );
});
