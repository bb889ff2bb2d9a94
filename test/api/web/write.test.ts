/** Writing with a browser that runs no script: the page, what it shows before a publish, and what its forms do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api.ts';
import { connectRow } from '../../support/connect-row.ts';

let api: TestApi;
let cookie: string;
before(async () => {
  api = await startTestApi();
  cookie = await signIn(api.author);
});
after(() => api.close());

async function signIn({ id }: TestAuthor): Promise<string> {
  return `courant_session=${await api.sessions.issue('courant:cookie', id)}`;
}

type Fields = Record<string, string | File>;

/** As a browser sends the form of the page. */
function post(path: string, fields: Fields, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const own = { 'sec-fetch-site': 'same-origin', accept: 'text/html', cookie, ...headers };
  return fetch(api.url + path, { method: 'POST', body, headers: own, redirect: 'manual' });
}

const send = (fields: Fields, headers?: Record<string, string>) => post('/desk/write', fields, headers);

async function open(path = '/desk/write', as = cookie) {
  const response = await fetch(api.url + path, { headers: { cookie: as, accept: 'text/html' }, redirect: 'manual' });
  return { status: response.status, ...readForm(await response.text()) };
}

/** The hidden fields and the text, as the page has them. */
function readForm(page: string) {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const [, content = ''] = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(page) ?? [];
  const fields = { key: field('key'), seen: field('seen'), article: field('article'), fileName: field('fileName') };
  return { page, fields, content: content.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&') };
}

function findArticle(title: string) {
  return api.db.selectFrom('articles').selectAll().where('title', '=', title).executeTakeFirst();
}

async function readAlert(response: Response): Promise<string> {
  return /role="alert">([\s\S]*?)<\/div>/.exec(await response.text())?.[1] ?? '';
}

async function readNotice(response: Response): Promise<string> {
  const kept = response.headers.getSetCookie().find((one) => one.startsWith('courant_notice=')) ?? '';
  return decodeURIComponent(kept.split(';')[0] ?? '');
}

test('a text is published, kept as a draft or scheduled, and its author is led to the article', async () => {
  const { fields } = await open();
  assert.equal(fields.seen, 'new');
  const published = await send({ ...fields, intent: 'publish', content: markdown({ title: 'Published here' }) });
  assert.equal(published.status, 303, await readAlert(published));
  const article = await findArticle('Published here');
  assert.equal(article?.status, 'PUBLISHED');
  assert.equal(published.headers.get('location'), `/desk/articles/${article?.id}`);
  assert.match(await readNotice(published), /Published: a new article\./);

  const draft = await send({ ...(await open()).fields, intent: 'draft', content: '# A draft\n\nText.' });
  assert.equal(draft.status, 303);
  const kept = await findArticle('A draft');
  assert.equal(kept?.status, 'DRAFT');
  assert.match(kept.source, /status: DRAFT/, 'what was chosen stands in the document');

  const when = { date: '2098-03-01', time: '09:30', zone: 'Asia/Kolkata' };
  const content = markdown({ title: 'Later' });
  const scheduled = await send({ ...(await open()).fields, ...when, intent: 'schedule', content });
  assert.equal(scheduled.status, 303, await readAlert(scheduled));
  const later = await findArticle('Later');
  assert.equal(later?.status, 'SCHEDULED');
  assert.equal(later.scheduledAt?.toISOString(), '2098-03-01T04:00:00.000Z');
  assert.equal(later.scheduledZone, 'Asia/Kolkata');
});

test('what is wrong is told with its line, and the text stays in the page', async () => {
  const content =
    '---\ntitle: Wrong\ncover_image: "ftp://x"\ncanonical_url: nowhere\n---\n\n<script>alert(1)</script> & "text"\n';
  const response = await send({ ...(await open()).fields, intent: 'publish', content });
  assert.equal(response.status, 422);
  const again = readForm(await response.text());
  assert.match(again.page, /role="alert"/);
  assert.match(again.page, /data-line="3"[^>]*>Line 3/);
  assert.match(again.page, /data-line="4"[^>]*>Line 4/);
  assert.match(again.page, /&lt;script&gt;/);
  assert.doesNotMatch(again.page, /<script>alert/);
  assert.equal(await findArticle('Wrong'), undefined);

  const past = { date: '2001-01-01', time: '09:30', zone: 'UTC', intent: 'schedule', content: '# Past\n\nText.' };
  const refused = await send({ ...(await open()).fields, ...past });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /This time has passed/);
  const nowhere = await send({ ...(await open()).fields, ...past, date: '2098-03-29', zone: 'Mars/Olympus' });
  assert.match(await nowhere.text(), /time zone that does not exist/);
  assert.equal(await findArticle('Past'), undefined);
});

test('the preview shows the sanitised page, the verdict, and what a connected destination would lose', async () => {
  await connectRow(api, api.author.id, ['blogsite_a', 'forem']);
  const content = `---\ntitle: Seen before\ntags: [a, b, c, d, e, f]\n---\n\nText <img src=x onerror=alert(1)>\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n`;
  const response = await send({ ...(await open()).fields, intent: 'preview', content });
  const page = await response.text();
  assert.equal(response.status, 200);
  assert.match(page, /This will be a new article/);
  assert.match(page, /class="tok-keyword"/);
  assert.equal(page.includes('<img src="x" onerror') || page.includes('<img src=x onerror'), false);
  assert.match(page, /<img src="x"/);
  assert.match(page, /<strong>(DEV|Forem|dev\.to)[^<]*<\/strong> <span class="state warn">Loses/);
  const here = await send({ ...(await open()).fields, intent: 'preview', where: 'here', content });
  assert.match(await here.text(), /Only here: it goes to no destination/);
  assert.equal(await findArticle('Seen before'), undefined);

  const asked = await post(
    '/desk/write/preview',
    { content: `${content}\n`, seen: 'new' },
    { accept: 'application/json' },
  );
  const answer = (await asked.json()) as { html: string; seen: string; isPublishable: boolean };
  assert.equal(answer.isPublishable, true);
  assert.equal(answer.seen, 'new');
  assert.match(answer.html, /Loses/);
  const bad = await post('/desk/write/preview', { content: '---\ntitle: [\n---\n' }, { accept: 'application/json' });
  const marks = ((await bad.json()) as { marks: { line: number; kind: string }[] }).marks;
  assert.equal(marks[0]?.kind, 'error');
  assert.ok((marks[0]?.line ?? 0) >= 2);

  const local = await send({ ...(await open()).fields, intent: 'publish', where: 'here', content });
  assert.equal(local.status, 303);
  assert.equal((await findArticle('Seen before'))?.syndicate, false);
  const chosen = markdown({ title: 'Not to them' });
  assert.equal(
    (await send({ ...(await open()).fields, intent: 'publish', where: 'chosen', content: chosen })).status,
    303,
  );
  assert.equal((await findArticle('Not to them'))?.crossPost.blogsite_a, false);
});

test('an article is opened as it is stored, and publishing it again changes the same one, whatever its title', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'Before' }, 'First.\n') });
  const id = body.data?.id ?? '';
  const opened = await open(`/desk/write?article=${id}`);
  assert.equal(opened.status, 200);
  assert.match(opened.content, new RegExp(`courant_id: "?${id}`));
  const content = opened.content
    .replace('Before', 'After')
    .replace('First.', 'Second.')
    .replace(/courant_id.*\n/, '');
  const response = await send({ ...opened.fields, intent: 'publish', content });
  assert.equal(response.status, 303, await readAlert(response));
  assert.equal(response.headers.get('location'), `/desk/articles/${id}`);
  assert.match(await readNotice(response), /the article is updated/);
  assert.equal((await findArticle('After'))?.id, id);
});

test('of two windows with one article, the second is told before it replaces what the first has published', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'Shared' }, 'Old.\n') });
  const id = body.data?.id ?? '';
  const [one, two] = [await open(`/desk/write?article=${id}`), await open(`/desk/write?article=${id}`)];
  const change = (text: string) => one.content.replace('Old.', text);
  assert.equal((await send({ ...one.fields, intent: 'publish', content: change('Of one.') })).status, 303);
  const refused = await send({ ...two.fields, intent: 'publish', content: change('Of two.') });
  assert.equal(refused.status, 409);
  const again = readForm(await refused.text());
  assert.match(again.page, /was changed elsewhere since you opened it here/);
  assert.match(again.content, /Of two\./);
  assert.match((await findArticle('Shared'))?.source ?? '', /Of one\./);
  assert.equal((await send({ ...again.fields, intent: 'publish', content: again.content })).status, 303);
  assert.match((await findArticle('Shared'))?.source ?? '', /Of two\./);

  // A new text that means an article one has is no new one.
  const taken = await send({
    ...(await open()).fields,
    intent: 'publish',
    content: markdown({ title: 'Shared' }, 'Third.\n'),
  });
  assert.equal(taken.status, 409);
  assert.match((await findArticle('Shared'))?.source ?? '', /Of two\./);
});

test('one form publishes once, however often it is sent; a later text of it is not lost', async () => {
  const { fields } = await open();
  const content = markdown({ title: 'Sent twice' });
  const answers = await Promise.all([1, 2].map(() => send({ ...fields, intent: 'publish', content })));
  const [first] = answers.filter(({ status }) => status === 303);
  assert.ok(first);
  assert.equal(
    (await send({ ...fields, intent: 'publish', content })).headers.get('location'),
    first.headers.get('location'),
  );
  assert.equal((await api.db.selectFrom('articles').selectAll().where('title', '=', 'Sent twice').execute()).length, 1);
  const other = await send({ ...fields, intent: 'publish', content: `${content}More.\n` });
  assert.equal(other.status, 422);
  const again = readForm(await other.text());
  assert.notEqual(again.fields.key, fields.key);
  const more = again.content;
  const response = await send({ ...again.fields, intent: 'publish', content: more });
  assert.equal(response.status, 303, await readAlert(response));
  assert.match((await findArticle('Sent twice'))?.source ?? '', /More\./);
});

test('what may not be meant for the public, or would take an article from it, is asked for once more', async () => {
  const content = markdown({ title: 'Doubtful', private: true });
  const { fields } = await open();
  const doubted = await send({ ...fields, intent: 'publish', content });
  assert.equal(doubted.status, 422);
  assert.match(await doubted.text(), /name="sure"/);
  assert.equal((await send({ ...fields, intent: 'publish', content, sure: 'yes' })).status, 303);
  const article = await findArticle('Doubtful');
  const opened = await open(`/desk/write?article=${article?.id}`);
  const taken = await send({ ...opened.fields, intent: 'draft', content: opened.content });
  assert.equal(taken.status, 422);
  assert.match(await taken.text(), /is public: as a draft, it is taken from the site/);
  assert.equal((await send({ ...opened.fields, intent: 'draft', content: opened.content, sure: 'yes' })).status, 303);
  assert.equal((await findArticle('Doubtful'))?.status, 'DRAFT');
});

test('a file is opened as it is, and what is no text, or is too much of it, is said', async () => {
  const file = (bytes: BlobPart, name = 'A file.md') => new File([bytes], name);
  const opened = await send({ intent: 'open', file: file('Text without a title.\r\n') });
  const page = readForm(await opened.text());
  assert.equal(opened.status, 200);
  assert.equal(page.fields.fileName, 'A file.md');
  assert.match(page.page, /A file<\/p>/);
  const binary = await send({
    intent: 'open',
    file: file(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0]), 'a.png'),
  });
  assert.equal(binary.status, 422);
  assert.match(await binary.text(), /is not valid UTF-8/);
  const large = await send({ intent: 'open', file: file('a'.repeat(1024 * 1024 + 1)) });
  assert.equal(large.status, 413);
  const largest = await send({
    ...(await open()).fields,
    intent: 'draft',
    content: `# Largest\n\n${`${'word '.repeat(200)}\n\n`.repeat(1_000)}`,
  });
  assert.equal(largest.status, 303, await readAlert(largest));
  const kept = await send({
    key: 'windows-line-ends',
    intent: 'document',
    content: file('---\r\ntitle: Windows\r\n---\r\n\r\nText.\r\n'),
  });
  assert.equal(kept.status, 303);
  assert.match((await findArticle('Windows'))?.source ?? '', /title: Windows\r\n/);
});

test('nobody opens or changes what is not theirs, and no form of another site is taken (A41)', async () => {
  const stranger = await api.createAuthor('stranger');
  const { body } = await api.publish({ content: markdown({ title: 'Mine' }) });
  const theirs = await signIn(stranger);
  for (const id of [body.data?.id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
    assert.equal((await open(`/desk/write?article=${id}`, theirs)).status, 404);
  }
  const fields = { intent: 'publish', article: body.data?.id ?? '', content: markdown({ title: 'Taken over' }) };
  assert.equal((await send(fields, { cookie: theirs })).status, 303);
  assert.equal((await findArticle('Taken over'))?.authorId, stranger.id);
  assert.equal((await findArticle('Mine'))?.authorId, api.author.id);

  const foreign = await send({ intent: 'publish', content: '# Foreign\n\nText.' }, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  const nobody = await send({ intent: 'publish', content: '# Foreign\n\nText.' }, { cookie: '' });
  assert.equal(nobody.status, 401);
  assert.equal(await findArticle('Foreign'), undefined);
});

test('the desk publishes as often in a minute as a token, and says when to go on', async () => {
  const slow = await startTestApi({
    env: { PUBLISH_RATE_PER_MINUTE: '1' },
    databaseUrl: api.databaseUrl,
    home: api.home,
  });
  try {
    const { id } = await api.createAuthor('hasty');
    const own = `courant_session=${await slow.sessions.issue('courant:cookie', id)}`;
    const headers = { cookie: own, 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const publish = (title: string) => {
      const body = new URLSearchParams({ intent: 'publish', content: `# ${title}\n\nText.` });
      return fetch(`${slow.url}/desk/write`, { method: 'POST', body, headers, redirect: 'manual' });
    };
    assert.equal((await publish('In time')).status, 303);
    const refused = await publish('Too soon');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.match(await refused.text(), /# Too soon/);
  } finally {
    await slow.close();
  }
});

test('a text that one person wrote is not published as another, who has signed in meanwhile', async () => {
  const { page } = await open();
  assert.match(page, new RegExp(`name="user" value="${api.author.id}"`));
  const other = await signIn(await api.createAuthor('other'));
  const content = markdown({ title: 'Whose is it' });
  const fields = { ...(await open()).fields, user: api.author.id, intent: 'publish', content };
  const refused = await send(fields, { cookie: other });
  assert.equal(refused.status, 409);
  const text = await refused.text();
  assert.match(text, /You are signed in as @other now/);
  assert.match(text, /Whose is it/);
  assert.match(text, new RegExp(`name="user" value="${api.author.id}"`), 'sent again it is refused again');
  const json = { cookie: other, accept: 'application/json' };
  assert.equal((await send(fields, json)).status, 409);
  assert.equal((await post('/desk/write/preview', fields, json)).status, 409);
  assert.equal(await findArticle('Whose is it'), undefined);
});

test('a session that ended while somebody wrote does not take the text with it', async () => {
  const content = markdown({ title: 'Outlives the session' }, 'Text <b>&amp;</b>.\n');
  const { fields } = await open();
  const sent = { ...fields, user: api.author.id, intent: 'publish', where: 'here', content };
  const response = await send(sent, { cookie: '' });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const again = readForm(await response.text());
  assert.match(again.page, /Your session has ended/);
  assert.match(again.page, /Text &lt;b&gt;&amp;amp;/);
  assert.match(again.page, new RegExp(`name="key" value="${fields.key}"`));
  assert.match(again.page, /name="where" value="here"/);
  assert.equal(await findArticle('Outlives the session'), undefined);
  const foreign = await send(sent, { cookie: '', 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.equal((await send(sent, { cookie: '', accept: 'application/json' })).status, 303, 'a script has the text');
});

test('of files, one that would take an article from the public is in doubt', async () => {
  await api.publish({ content: markdown({ title: 'Public now' }) });
  const content = markdown({ title: 'Public now', draft: true });
  const preview = await post('/desk/write/preview', { content, intent: 'document' }, { accept: 'application/json' });
  const answer = (await preview.json()) as { isDoubtful: boolean; isPublishable: boolean };
  assert.deepEqual([answer.isPublishable, answer.isDoubtful], [true, true]);
});
