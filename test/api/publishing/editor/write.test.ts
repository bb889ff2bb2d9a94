/** Tests writing in a browser without script: the page, its previews and its forms. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { insertConnection } from '../../../support/database/insert-connection.ts';
import { openWritePage, readAlert, readForm, readNotice, type Writing } from '../support/writing.ts';

let api: TestApi;
let writing: Writing;
before(async () => {
  api = await startTestApi();
  writing = await openWritePage(api);
});
after(() => api.close());

test('a text is published, saved as a draft or scheduled, and the response redirects to the article', async () => {
  const { fields } = await writing.open();
  assert.equal(fields.seen, 'new');
  const published = await writing.send({
    ...fields,
    intent: 'publish',
    content: markdown({ title: 'Published here' }),
  });
  assert.equal(published.status, 303, await readAlert(published));
  const article = await writing.findArticle('Published here');
  assert.equal(article?.status, 'PUBLISHED');
  assert.equal(published.headers.get('location'), `/desk/articles/${article?.id}`);
  assert.match(await readNotice(published), /Article published\./);

  const draftResponse = await writing.send({
    ...(await writing.open()).fields,
    intent: 'draft',
    content: '# A draft\n\nText.',
  });
  assert.equal(draftResponse.status, 303);
  const draft = await writing.findArticle('A draft');
  assert.equal(draft?.status, 'DRAFT');
  assert.match(draft.source, /status: DRAFT/, 'what was chosen stands in the document');

  const when = { date: '2098-03-01', time: '09:30', zone: 'Asia/Kolkata' };
  const content = markdown({ title: 'Later' });
  const scheduled = await writing.send({ ...(await writing.open()).fields, ...when, intent: 'schedule', content });
  assert.equal(scheduled.status, 303, await readAlert(scheduled));
  const later = await writing.findArticle('Later');
  assert.equal(later?.status, 'SCHEDULED');
  assert.equal(later.scheduledAt?.toISOString(), '2098-03-01T04:00:00.000Z');
  assert.equal(later.scheduledZone, 'Asia/Kolkata');
});

test('problems are shown with their lines, and the page keeps the text', async () => {
  const content =
    '---\ntitle: Wrong\ncover_image: "ftp://x"\ncanonical_url: nowhere\n---\n\n<script>alert(1)</script> & "text"\n';
  const response = await writing.send({ ...(await writing.open()).fields, intent: 'publish', content });
  assert.equal(response.status, 422);
  const again = readForm(await response.text());
  assert.match(again.page, /role="alert"/);
  assert.match(again.page, /data-line="3"[^>]*>Line 3/);
  assert.match(again.page, /data-line="4"[^>]*>Line 4/);
  assert.match(again.page, /&lt;script&gt;/);
  assert.doesNotMatch(again.page, /<script>alert/);
  assert.equal(await writing.findArticle('Wrong'), undefined);

  const empty = await writing.send({ ...(await writing.open()).fields, intent: 'publish', content: ' ' });
  assert.equal(empty.status, 422);
  assert.match(
    await empty.text(),
    /role="alert"[^>]*>\s*<p>The text is empty\. Write the article in “Markdown, with its frontmatter”/,
  );

  const past = { date: '2001-01-01', time: '09:30', zone: 'UTC', intent: 'schedule', content: '# Past\n\nText.' };
  const refused = await writing.send({ ...(await writing.open()).fields, ...past });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /This time has passed/);
  const nowhere = await writing.send({
    ...(await writing.open()).fields,
    ...past,
    date: '2098-03-29',
    zone: 'Mars/Olympus',
  });
  assert.match(await nowhere.text(), /time zone that does not exist/);
  assert.equal(await writing.findArticle('Past'), undefined);
});

test('the preview shows the sanitised page, the verdict, and what a connected destination would lose', async () => {
  await insertConnection(api, api.author.id, ['blogsite_a', 'forem']);
  const content = `---\ntitle: Seen before\ntags: [a, b, c, d, e, f]\n---\n\nText <img src=x onerror=alert(1)>\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n`;
  const preview = await writing.send({ ...(await writing.open()).fields, intent: 'preview', content });
  const page = await preview.text();
  assert.equal(preview.status, 200);
  assert.match(page, /This is a new article/);
  assert.match(page, /class="tok-keyword"/);
  assert.equal(page.includes('<img src="x" onerror') || page.includes('<img src=x onerror'), false);
  assert.match(page, /<img src="x"/);
  assert.match(page, /<strong>(DEV|Forem|dev\.to)[^<]*<\/strong> <span class="state warn">\d+ change/);
  const here = await writing.send({ ...(await writing.open()).fields, intent: 'preview', where: 'here', content });
  assert.match(await here.text(), /This site only: the article is not sent to any destination/);
  assert.equal(await writing.findArticle('Seen before'), undefined);

  const response = await writing.post(
    '/desk/write/preview',
    { content: `${content}\n`, seen: 'new' },
    { accept: 'application/json' },
  );
  const answer = (await response.json()) as { html: string; seen: string; isPublishable: boolean };
  assert.equal(answer.isPublishable, true);
  assert.equal(answer.seen, 'new');
  assert.match(answer.html, /\d+ change/);
  const bad = await writing.post(
    '/desk/write/preview',
    { content: '---\ntitle: [\n---\n' },
    { accept: 'application/json' },
  );
  const marks = ((await bad.json()) as { marks: { line: number; kind: string }[] }).marks;
  assert.equal(marks[0]?.kind, 'error');
  assert.ok((marks[0]?.line ?? 0) >= 2);

  const local = await writing.send({ ...(await writing.open()).fields, intent: 'publish', where: 'here', content });
  assert.equal(local.status, 303);
  assert.equal((await writing.findArticle('Seen before'))?.syndicate, false);
  const chosen = markdown({ title: 'Not to them' });
  assert.equal(
    (await writing.send({ ...(await writing.open()).fields, intent: 'publish', where: 'chosen', content: chosen }))
      .status,
    303,
  );
  assert.equal((await writing.findArticle('Not to them'))?.crossPost.blogsite_a, false);
});

test('an article is opened as stored, and publishing it again updates the same one, whatever its title', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'Before' }, 'First.\n') });
  const id = body.data?.id ?? '';
  const opened = await writing.open(`/desk/write?article=${id}`);
  assert.equal(opened.status, 200);
  assert.match(opened.content, new RegExp(`courant_id: "?${id}`));
  const content = opened.content
    .replace('Before', 'After')
    .replace('First.', 'Second.')
    .replace(/courant_id.*\n/, '');
  const response = await writing.send({ ...opened.fields, intent: 'publish', content });
  assert.equal(response.status, 303, await readAlert(response));
  assert.equal(response.headers.get('location'), `/desk/articles/${id}`);
  assert.match(await readNotice(response), /Article updated/);
  assert.equal((await writing.findArticle('After'))?.id, id);
});

test('of two windows with one article, the second is warned before it replaces the other’s change', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'Shared' }, 'Old.\n') });
  const id = body.data?.id ?? '';
  const [one, two] = [await writing.open(`/desk/write?article=${id}`), await writing.open(`/desk/write?article=${id}`)];
  const change = (text: string) => one.content.replace('Old.', text);
  assert.equal((await writing.send({ ...one.fields, intent: 'publish', content: change('Of one.') })).status, 303);
  const refused = await writing.send({ ...two.fields, intent: 'publish', content: change('Of two.') });
  assert.equal(refused.status, 409);
  const again = readForm(await refused.text());
  assert.match(again.page, /was changed elsewhere after you opened it here/);
  assert.match(again.content, /Of two\./);
  assert.match((await writing.findArticle('Shared'))?.source ?? '', /Of one\./);
  assert.equal((await writing.send({ ...again.fields, intent: 'publish', content: again.content })).status, 303);
  assert.match((await writing.findArticle('Shared'))?.source ?? '', /Of two\./);

  // A new text that matches an existing article does not replace it silently.
  const matching = await writing.send({
    ...(await writing.open()).fields,
    intent: 'publish',
    content: markdown({ title: 'Shared' }, 'Third.\n'),
  });
  assert.equal(matching.status, 409);
  assert.match((await writing.findArticle('Shared'))?.source ?? '', /Of two\./);
});

test('one form publishes once however often it is sent; a changed text is shown again with a new key', async () => {
  const { fields } = await writing.open();
  const content = markdown({ title: 'Sent twice' });
  const answers = await Promise.all([1, 2].map(() => writing.send({ ...fields, intent: 'publish', content })));
  const [first] = answers.filter(({ status }) => status === 303);
  assert.ok(first);
  assert.equal(
    (await writing.send({ ...fields, intent: 'publish', content })).headers.get('location'),
    first.headers.get('location'),
  );
  assert.equal((await api.db.selectFrom('articles').selectAll().where('title', '=', 'Sent twice').execute()).length, 1);
  const other = await writing.send({ ...fields, intent: 'publish', content: `${content}More.\n` });
  assert.equal(other.status, 422);
  const again = readForm(await other.text());
  assert.notEqual(again.fields.key, fields.key);
  const more = again.content;
  const response = await writing.send({ ...again.fields, intent: 'publish', content: more });
  assert.equal(response.status, 303, await readAlert(response));
  assert.match((await writing.findArticle('Sent twice'))?.source ?? '', /More\./);
});

test('a text of 1 MiB is accepted as multipart; a urlencoded form, which is slow to decode, has 128 KiB (A34)', async () => {
  const { fields } = await writing.open();
  // A code block, because parsing it is fast.
  const content = markdown({ title: 'Long' }, `~~~\n${`${'word '.repeat(20)}\n`.repeat(10_380)}`);
  assert.equal((await writing.send({ ...fields, intent: 'draft', content })).status, 303);
  const headers = { 'sec-fetch-site': 'same-origin', cookie: await writing.signIn(api.author) };
  const sendUrlencoded = async (bytes: number) =>
    (
      await fetch(`${api.url}/desk/write`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ body: 'x'.repeat(bytes) }),
      })
    ).status;
  assert.deepEqual([await sendUrlencoded(128 * 1024 - 5), await sendUrlencoded(128 * 1024)], [200, 413]);
});
