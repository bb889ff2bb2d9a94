/** Tests the page for writing: confirmations, rejected files, accounts and sessions. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { openWritePage, readAlert, readForm, type Writing } from '../support/writing.ts';

let api: TestApi;
let writing: Writing;
before(async () => {
  api = await startTestApi();
  writing = await openWritePage(api);
});
after(() => api.close());

test('a doubtful publish, and a draft that would unpublish an article, require confirmation', async () => {
  const content = markdown({ title: 'Doubtful', private: true });
  const { fields } = await writing.open();
  const doubted = await writing.send({ ...fields, intent: 'publish', content });
  assert.equal(doubted.status, 422);
  assert.match(await doubted.text(), /name="sure"/);
  assert.equal((await writing.send({ ...fields, intent: 'publish', content, sure: 'yes' })).status, 303);
  const article = await writing.findArticle('Doubtful');
  const opened = await writing.open(`/desk/write?article=${article?.id}`);
  const unconfirmed = await writing.send({ ...opened.fields, intent: 'draft', content: opened.content });
  assert.equal(unconfirmed.status, 422);
  assert.match(await unconfirmed.text(), /is public\. Saving it as a draft removes it from the site/);
  assert.equal(
    (await writing.send({ ...opened.fields, intent: 'draft', content: opened.content, sure: 'yes' })).status,
    303,
  );
  assert.equal((await writing.findArticle('Doubtful'))?.status, 'DRAFT');
});

test('a file is opened unchanged; invalid text and oversized files are rejected with a reason', async () => {
  const file = (bytes: BlobPart, name = 'A file.md') => new File([bytes], name);
  const opened = await writing.send({ intent: 'open', file: file('Text without a title.\r\n') });
  const page = readForm(await opened.text());
  assert.equal(opened.status, 200);
  assert.equal(page.fields.fileName, 'A file.md');
  assert.match(page.page, /A file<\/p>/);
  const binary = await writing.send({
    intent: 'open',
    file: file(new Uint8Array([0x23, 0x20, 0xc4, 0x70, 0x66, 0x65, 0x6c]), 'latin-1.md'),
  });
  assert.equal(binary.status, 422);
  assert.match(await binary.text(), /is not valid UTF-8/);
  const large = await writing.send({ intent: 'open', file: file('a'.repeat(1024 * 1024 + 1)) });
  assert.equal(large.status, 413);
  const largest = await writing.send({
    ...(await writing.open()).fields,
    intent: 'draft',
    content: `# Largest\n\n~~~\n${`${'word '.repeat(200)}\n\n`.repeat(1_000)}`,
  });
  assert.equal(largest.status, 303, await readAlert(largest));
  const windows = await writing.send({
    key: 'windows-line-ends',
    intent: 'document',
    content: file('---\r\ntitle: Windows\r\n---\r\n\r\nText.\r\n'),
  });
  assert.equal(windows.status, 303);
  assert.match((await writing.findArticle('Windows'))?.source ?? '', /title: Windows\r\n/);
});

test('a picture opened without script is rejected by name, with the Markdown to write instead', async () => {
  const pictures = [
    new File([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')], 'by-its-bytes'),
    new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'drawing.svg', { type: 'image/svg+xml' }),
  ];
  for (const picture of pictures) {
    const response = await writing.send({ intent: 'open', file: picture });
    assert.equal(response.status, 422);
    const alert = await readAlert(response);
    assert.ok(alert.includes(`${picture.name}: Pictures cannot be uploaded yet.`), alert);
    assert.ok(alert.includes('![What it shows](https://example.org/picture.png)'), alert);
  }
});

test('authors cannot open or change articles of others, and forms of other sites are rejected (A50)', async () => {
  const stranger = await api.createAuthor('stranger');
  const { body } = await api.publish({ content: markdown({ title: 'Mine' }) });
  const theirs = await writing.signIn(stranger);
  for (const id of [body.data?.id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
    assert.equal((await writing.open(`/desk/write?article=${id}`, theirs)).status, 404);
  }
  const fields = { intent: 'publish', article: body.data?.id ?? '', content: markdown({ title: 'Taken over' }) };
  assert.equal((await writing.send(fields, { cookie: theirs })).status, 303);
  assert.equal((await writing.findArticle('Taken over'))?.authorId, stranger.id);
  assert.equal((await writing.findArticle('Mine'))?.authorId, api.author.id);

  const foreign = await writing.send(
    { intent: 'publish', content: '# Foreign\n\nText.' },
    { 'sec-fetch-site': 'cross-site' },
  );
  assert.equal(foreign.status, 403);
  const nobody = await writing.send({ intent: 'publish', content: '# Foreign\n\nText.' }, { cookie: '' });
  assert.equal(nobody.status, 303);
  assert.equal(await writing.findArticle('Foreign'), undefined);
});

test('the desk has the same publish limit per minute as a token, and reports when to retry', async () => {
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

test('a text is not published by another account that signed in meanwhile', async () => {
  const { page } = await writing.open();
  assert.match(page, new RegExp(`name="user" value="${api.author.id}"`));
  const other = await writing.signIn(await api.createAuthor('other'));
  const content = markdown({ title: 'Whose is it' });
  const fields = { ...(await writing.open()).fields, user: api.author.id, intent: 'publish', content };
  const refused = await writing.send(fields, { cookie: other });
  assert.equal(refused.status, 409);
  const text = await refused.text();
  assert.match(text, /You are now signed in as @other/);
  assert.doesNotMatch(text, /Whose is it/, 'whoever is signed in now does not see it');
  const json = { cookie: other, accept: 'application/json' };
  assert.equal((await writing.send(fields, json)).status, 409);
  assert.equal((await writing.post('/desk/write/preview', fields, json)).status, 409);
  assert.equal(await writing.findArticle('Whose is it'), undefined);
});

test('a text sent without a session is not read; the page redirects to sign-in, and the script keeps the text', async () => {
  const content = markdown({ title: 'Without a session' });
  const { fields } = await writing.open();
  const sent = { ...fields, user: api.author.id, intent: 'publish', content };
  for (const accept of ['text/html', 'application/json']) {
    const response = await writing.send(sent, { cookie: '', accept, referer: `${api.url}/desk/write` });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/login?next=%2Fdesk%2Fwrite');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
  const foreign = await writing.send(sent, { cookie: '', 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.equal(await writing.findArticle('Without a session'), undefined);

  const type = 'application/x-www-form-urlencoded';
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type, 'content-length': 1_000_000 };
  const begun = sendRequest(`${api.url}/desk/write`, { method: 'POST', headers });
  begun.on('error', () => undefined);
  begun.flushHeaders();
  const [answer] = await once(begun, 'response');
  begun.destroy();
  assert.equal(answer.statusCode, 303, 'before any of the body was sent');
});

test('the preview marks a file that would unpublish an article as doubtful', async () => {
  await api.publish({ content: markdown({ title: 'Public now' }) });
  const content = markdown({ title: 'Public now', draft: true });
  const preview = await writing.post(
    '/desk/write/preview',
    { content, intent: 'document' },
    { accept: 'application/json' },
  );
  const answer = (await preview.json()) as { isDoubtful: boolean; isPublishable: boolean };
  assert.deepEqual([answer.isPublishable, answer.isDoubtful], [true, true]);
});

test('a draft sent before its preview does not unpublish the article that its text matches', async () => {
  await api.publish({ content: markdown({ title: 'Opened and saved' }) });
  const content = markdown({ title: 'Opened and saved' }, 'Newer text.');
  // Without `seen`, as the script sends a text whose preview has not arrived.
  const fields = { ...(await writing.open()).fields, seen: '', content };
  for (const sent of [
    { ...fields, intent: 'draft' },
    { ...fields, intent: 'document', content: content.replace('title:', 'draft: true\ntitle:') },
  ]) {
    const refused = await writing.send(sent);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /“Opened and saved” is public\. Saving it as a draft removes it from the site/);
    assert.equal((await writing.findArticle('Opened and saved'))?.status, 'PUBLISHED');
  }
  assert.equal((await writing.send({ ...fields, intent: 'draft', sure: 'yes' })).status, 303);
  assert.equal((await writing.findArticle('Opened and saved'))?.status, 'DRAFT');
});
