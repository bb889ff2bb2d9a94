import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Element, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

async function publish(frontmatter: Record<string, unknown>, body?: string) {
  const { body: answer } = await api.publish({ content: markdown(frontmatter, body) });
  assert.ok(answer.data, JSON.stringify(answer));
  return answer.data;
}

async function readPage(url: string): Promise<{ status: number; headers: Headers; text: string; tree: Root }> {
  const response = await fetch(url);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, tree: unified().use(rehypeParse).parse(text) };
}

test('the page of an article is complete without script: title, author, date, body, canonical link', async () => {
  const { url } = await publish(
    { title: 'A page & more', subtitle: 'The subtitle', tags: ['one'], canonical_url: 'https://blog.example/page' },
    '## Part\n\nText with **weight** and `code`.\n\n```js\nlet a = 1;\n```\n',
  );
  const { status, text, tree, headers } = await readPage(url);
  assert.equal(status, 200);
  const tags: Record<string, number> = {};
  let canonical: unknown;
  visit(tree, 'element', (element) => {
    tags[element.tagName] = (tags[element.tagName] ?? 0) + 1;
    if (element.tagName === 'link' && String(element.properties.rel) === 'canonical')
      canonical = element.properties.href;
  });
  assert.equal(tags.h1, 1);
  assert.ok(tags.h2 && tags.pre && tags.strong && tags.time);
  assert.equal(tags.script, 2, 'the JSON-LD block, which runs nothing, and our own that reports readings');
  assert.equal(canonical, 'https://blog.example/page');
  assert.match(text, /A page &amp; more/);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
});

test('script in links, images, titles and raw HTML does not reach the page (A8)', async () => {
  const { url } = await publish(
    { title: '<script>alert(1)</script>', subtitle: '"><img src=x onerror=alert(1)>', tags: ['<b>t</b>'] },
    '<script>alert(2)</script>\n\n[x](javascript:alert(3)) <img src="x" onerror="alert(4)"> <svg onload=alert(5)></svg>\n',
  );
  const { tree } = await readPage(url);
  const scripts: Element[] = [];
  visit(tree, 'element', (element) => {
    if (element.tagName === 'script' && element.properties.type !== 'application/ld+json') scripts.push(element);
    for (const [name, value] of Object.entries(element.properties)) {
      assert.doesNotMatch(name, /^on/i);
      assert.doesNotMatch(String(value), /^\s*javascript:/i);
    }
  });
  assert.equal(scripts.length, 1, 'our own');
  assert.doesNotMatch(JSON.stringify(scripts[0]?.children), /alert/);
});

test('the agent document has its specified fields and honours ETag and If-Modified-Since', async () => {
  const data = await publish(
    { title: 'For agents', tags: ['ai'] },
    'Intro to [a reference](https://ref.example/x).\n\n## Two\n\n### Three\n\nEnd.\n',
  );
  const address = `${api.url}/api/geo/posts/${data.slug}`;
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  assert.equal(response.status, 200);
  const document = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(document), [
    'slug',
    'title',
    'canonicalUrl',
    'author',
    'publishedAt',
    'updatedAt',
    'topicSignals',
    'headings',
    'outboundReferences',
    'contentHash',
    'plainTextContent',
  ]);
  assert.equal(document.canonicalUrl, data.url);
  assert.deepEqual(document.headings, [
    { level: 2, text: 'Two' },
    { level: 3, text: 'Three' },
  ]);
  assert.deepEqual(document.outboundReferences, ['https://ref.example/x']);
  assert.match(String(document.contentHash), /^sha256:[0-9a-f]{64}$/);
  assert.match(String(document.plainTextContent), /Intro to a reference/);
  const etag = response.headers.get('etag') ?? '';
  assert.equal((await fetch(address, { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await fetch(address, { headers: { 'if-none-match': `W/${etag}, "x"` } })).status, 304);
  assert.equal((await fetch(address, { headers: { 'if-none-match': '"x"' } })).status, 200);
  let since: string | null = null;
  await eventually('the end of the second of the change', async () => {
    since = (await fetch(address)).headers.get('last-modified');
    return since !== null;
  });
  assert.equal((await fetch(address, { headers: { 'if-modified-since': since ?? '' } })).status, 304);
});

test('the structured description has its specified fields', async () => {
  const data = await publish({ title: 'Described', tags: ['ai'], category: 'ai' }, 'An opening.\n\n## Part\n\nText.\n');
  const response = await fetch(`${api.url}/api/geo/posts/${data.slug}/description`);
  const description = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(description), [
    'schemaVersion',
    'type',
    'types',
    'slug',
    'url',
    'title',
    'subtitle',
    'tldr',
    'keywords',
    'entities',
    'keyTakeaways',
    'headings',
    'outboundLinks',
    'contentText',
    'contentHash',
    'authorName',
    'authorUrl',
    'authorSameAs',
    'category',
    'tags',
    'audience',
    'tone',
    'readingTimeMinutes',
    'wordCount',
    'faqs',
    'primaryTopic',
    'publishedAt',
    'updatedAt',
    'canonicalUrl',
  ]);
  assert.equal(description.schemaVersion, '1.0');
  assert.deepEqual(description.headings, ['Part']);
  assert.equal(description.faqs, null);
  assert.equal((await fetch(String(description.authorUrl))).status, 200);
});

test("only an author's oldest published article with a canonical URL is canonical, and no other author's article changes that", async () => {
  const canonical_url = 'https://blog.example/shared';
  const first = await publish({ title: 'The first', id: 'canonical-1', canonical_url });
  const second = await publish({ title: 'The second', id: 'canonical-2', canonical_url });
  const other = await api.createAuthor('second-canonical');
  const content = markdown({ title: 'Of another author', canonical_url });
  const theirs = (await api.publish({ content }, { token: other.token })).body.data;
  const status = async (slug = '') => (await fetch(`${api.url}/api/geo/posts/${slug}`)).status;
  assert.deepEqual([await status(first.slug), await status(second.slug), await status(theirs?.slug)], [200, 404, 200]);
  await publish({ title: 'The first', id: 'canonical-1', canonical_url, draft: true });
  assert.deepEqual([await status(first.slug), await status(second.slug), await status(theirs?.slug)], [410, 200, 200]);
});

test('an unknown slug and a draft that was never public give 404, a withdrawn article 410', async () => {
  for (const prefix of ['', '/api/geo/posts']) {
    assert.equal((await fetch(`${api.url}${prefix}/never-there`)).status, 404);
  }
  const draft = await publish({ title: 'Never public', draft: true });
  assert.equal((await fetch(`${api.url}/${draft.slug}`)).status, 404);
  assert.equal((await fetch(`${api.url}/api/geo/posts/${draft.slug}`)).status, 404);
  await publish({ title: 'Was public' });
  const withdrawn = await publish({ title: 'Was public', draft: true });
  assert.equal((await fetch(`${api.url}/${withdrawn.slug}`)).status, 410);
  assert.equal((await fetch(`${api.url}/api/geo/posts/${withdrawn.slug}`)).status, 410);
});

test('generate_toc adds a table of contents to the page', async () => {
  const body = '## One\n\nx\n\n## Two\n\ny\n';
  const { url } = await publish({ title: 'With contents', generate_toc: true }, body);
  assert.match((await readPage(url)).text, /<nav class="toc"/);
  const plain = await publish({ title: 'Without contents' }, body);
  assert.doesNotMatch((await readPage(plain.url)).text, /<nav class="toc"/);
});

test('the front page lists the published articles, newest first', async () => {
  await publish({ title: 'Newest of all' });
  const { text, status } = await readPage(`${api.url}/`);
  assert.equal(status, 200);
  assert.ok(text.indexOf('Newest of all') < text.indexOf('For agents'));
});

test('the endpoints for readiness and liveness respond with 200', async () => {
  assert.equal((await fetch(`${api.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${api.url}/health/live`)).status, 200);
});

test('a former address of an article that is now a draft does not reveal its new address (A18)', async () => {
  const publish = (slug: string, status: string) =>
    api.publish({
      content: `---\ntitle: Moved away\nslug: ${slug}\ncourant_id: "${id}"\nstatus: ${status}\n---\nText.`,
    });
  let id = '';
  id = (await api.publish({ content: '---\ntitle: Moved away\nslug: moved-from\n---\nText.' })).body.data?.id ?? '';
  await publish('moved-to', 'PUBLISHED');
  const visit = () => fetch(`${api.url}/moved-from`, { redirect: 'manual' });
  assert.equal((await visit()).status, 301);
  await publish('moved-to-a-secret', 'DRAFT');
  const answer = await visit();
  assert.deepEqual([answer.status, answer.headers.get('location')], [410, null]);
  assert.doesNotMatch(await answer.text(), /secret/);
});
