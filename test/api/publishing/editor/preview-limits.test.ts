/** Tests the limits of previews, and that previews do not delay publishes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../../support/api/api.ts';
import { openWritePage, readForm, type Writing } from '../support/writing.ts';

/** Within every limit that is checked before parsing, but takes the parser seconds. */
const SLOW = `# T\n\n${'- a\n\nb\n\n'.repeat(17_000)}`;
/** Their previews take more time together than a preview may wait. */
const ACCOUNTS = 12;
const JSON_ONLY = { accept: 'application/json' };

let api: TestApi;
let writing: Writing;
before(async () => {
  api = await startTestApi({ documents: { timeLimitMs: 300, maxWaitMs: 2_500, maxThreads: 2 } });
  writing = await openWritePage(api);
});
after(() => api.close());

test('new unconfirmed accounts cannot preview slow documents, and publishes of a confirmed author succeed (A36)', async () => {
  const cookies = await signInMany('fresh');
  await api.db.updateTable('users').set({ emailConfirmedAt: null }).where('username', 'like', 'fresh-%').execute();
  const previews = cookies.map((cookie) => previewSlow(cookie));
  assert.deepEqual(await publishFive('beside the unconfirmed'), [201, 201, 201, 201, 201]);
  for (const { status, code } of await Promise.all(previews)) {
    assert.deepEqual([status, code], [403, 'email_not_confirmed']);
  }
  const page = await writing.send({ intent: 'preview', content: SLOW }, { cookie: cookies[0] ?? '' });
  assert.equal(page.status, 403);
});

test('publishes of another author overtake the slowest previews of twelve confirmed accounts, and none is rejected (A36)', async () => {
  const cookies = await signInMany('confirmed');
  let answered = 0;
  const previews = cookies.map((cookie) =>
    previewSlow(cookie).finally(() => {
      answered += 1;
    }),
  );
  assert.deepEqual(await publishFive('beside the confirmed'), [201, 201, 201, 201, 201]);
  assert.ok(answered < ACCOUNTS, 'all previews were answered before the last of five publishes');
  const statuses = (await Promise.all(previews)).map(({ status }) => status);
  assert.ok(statuses.includes(503), `the last previews waited too long: ${statuses}`);
});

test('an account has 180 previews a minute; the next one is rejected before it is parsed, and the page keeps the text (A36)', async () => {
  const other = await writing.signIn(await api.createAuthor('unhurried'));
  const content = '# T\n\nText.';
  assert.equal((await writing.post('/desk/write/preview', { content }, JSON_ONLY)).status, 200);
  const bucket = `preview:${api.author.id}`;
  await api.db.updateTable('rateCounters').set({ count: 180 }).where('bucket', '=', bucket).execute();
  const refused = await writing.post('/desk/write/preview', { content }, JSON_ONLY);
  assert.equal(refused.status, 429);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 60, `${seconds} s`);
  const page = await writing.send({ intent: 'preview', content });
  assert.equal(page.status, 429);
  assert.equal(readForm(await page.text()).content, content);
  assert.equal((await writing.post('/desk/write/preview', { content }, { ...JSON_ONLY, cookie: other })).status, 200);
});

async function signInMany(name: string): Promise<string[]> {
  const authors = Array.from({ length: ACCOUNTS }, (_, n) => api.createAuthor(`${name}-${n}`));
  return Promise.all((await Promise.all(authors)).map((author) => writing.signIn(author)));
}

async function previewSlow(cookie: string): Promise<{ status: number; code: string | undefined }> {
  const answer = await writing.post('/desk/write/preview', { content: SLOW }, { ...JSON_ONLY, cookie });
  return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
}

async function publishFive(name: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    statuses.push((await api.publish({ content: `# Article ${n} ${name}\n\nA few words.` })).status);
  }
  return statuses;
}
