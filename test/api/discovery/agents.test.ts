/** Tests what agents get: catalogues, Markdown alternates, content signals, discovery. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MCP_SERVER } from '../../../api/discovery/mcp/tool.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { preparePython } from '../../support/python.ts';

let api: TestApi;
let base: string;
before(async () => {
  api = await startTestApi({ env: { CONTENT_SIGNAL: 'ai-train=no, search=yes' } });
  base = JSON.parse(await (await fetch(`${api.url}/mcp/server-card`)).text()).websiteUrl.replace(/\/$/, '');
});
after(() => api.close());

const python = preparePython();

async function sendRequest(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function publish(frontmatter: string, body = 'A text.', token?: string): Promise<{ id: string; slug: string }> {
  const answer = await api.publish({ content: `---\n${frontmatter}\n---\n\n${body}\n` }, token ? { token } : {});
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data;
}

test('llms.txt lists the public articles, newest first, and the reference parser reads it', async () => {
  const first = await publish('title: The first "article" [of] many\ntags: [alpha]');
  const second = await publish(
    'title: The second\ncanonical_url: https://elsewhere.example/second\ntags: [alpha, beta]',
  );
  await publish('title: A draft of mine\ndraft: true');
  await publish('title: A scheduled one\nscheduled_at: 2099-01-01T00:00:00Z');
  const { text, headers, status } = await sendRequest('/llms.txt');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.equal(headers.get('content-signal'), 'search=yes, ai-train=no');
  const apiCatalog = `<${base}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`;
  assert.equal(headers.get('link'), apiCatalog);
  assert.deepEqual([headers.get('x-robots-tag'), headers.get('access-control-allow-origin')], ['noindex', '*']);
  const full = await sendRequest('/llms-full.txt');
  assert.equal(full.headers.get('link'), `<${base}/llms.txt>; rel="describedby"; type="text/markdown", ${apiCatalog}`);
  assert.ok(text.indexOf('elsewhere.example/second') < text.indexOf(`${base}/${first.slug}`), text);
  assert.ok(text.includes(`${base}/api/geo/posts/${second.slug}`));
  assert.doesNotMatch(text, /A draft of mine|A scheduled one/);
  assert.ok(text.includes(`## Topics\n\n- [alpha](${base}/tags/alpha.md)\n- [beta](${base}/tags/beta.md)\n`));
  if (python.skip !== false) return;
  const program = `
import json, sys
from llms_txt import parse_llms_file
print(json.dumps({k: len(v) for k, v in parse_llms_file(sys.stdin.read()).sections.items()}))`;
  assert.deepEqual(await python.run(program, text), { Articles: 2, Authors: 1, Topics: 2, Optional: 3 });
});

test('llms-full.txt has byline, time, topics and abstract, and applies the authors’ content signals', async () => {
  const quiet = await publish('title: Not for models\nai: {input: no}', 'A secret of the trade.');
  const hidden = await publish('title: Not to be found\nai: search=no', 'Nobody finds it.');
  const { text } = await sendRequest('/llms-full.txt');
  assert.match(text, /### \[The second\]\(https:\/\/elsewhere\.example\/second\)\n\n- Author: Author /);
  assert.ok(text.includes(`/${quiet.slug}.md`));
  assert.match(text, /- Content-Signal: search=yes, ai-input=no, ai-train=no\n/);
  assert.doesNotMatch(text, /secret of the trade|Not to be found/);
  assert.doesNotMatch((await sendRequest('/llms.txt')).text, /Not to be found/);
  for (const path of [`/${quiet.slug}`, `/${quiet.slug}.md`, `/api/geo/posts/${quiet.slug}`]) {
    assert.equal((await sendRequest(path)).headers.get('content-signal'), 'search=yes, ai-input=no, ai-train=no', path);
  }
  const found = await sendRequest(`/${hidden.slug}.md`);
  assert.equal(found.headers.get('content-signal'), 'search=no, ai-train=no');
  assert.match(found.text, /content_signal: "search=no, ai-train=no"/);
});

test('an author’s content signal applies to all their articles, and no article allows what its author or the site forbids', async () => {
  const author = await api.createAuthor('signalling');
  const token = await api.sessions.issue('courant:session', author.id);
  const set = async (contentSignal: string) => {
    const query = 'mutation($s: String) { updateProfile(input: {contentSignal: $s}) { contentSignal } }';
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { s: contentSignal } }),
    });
    return (await response.json()) as { data?: { updateProfile: { contentSignal: string } }; errors?: unknown[] };
  };
  assert.equal((await set('AI-Input=No')).data?.updateProfile.contentSignal, 'ai-input=no');
  assert.match(JSON.stringify((await set('ai-input=maybe')).errors), /search, ai-input and ai-train with yes or no/);
  const { slug } = await publish('title: All allowed\nai: {search: yes, input: yes, train: yes}', 'x', author.token);
  const { headers } = await sendRequest(`/${slug}`);
  assert.equal(headers.get('content-signal'), 'search=yes, ai-input=no, ai-train=no');
});

test('an invalid content signal gives a warning, and its valid parts apply', async () => {
  const content = '---\ntitle: Mistyped\nai: {trian: no, input: no}\n---\n\nText.';
  const { status, body } = await api.publish({ content });
  assert.equal(status, 201);
  const warning = body.warnings?.find(({ code }) => code === 'content_signal_ignored');
  assert.equal(warning?.path, 'ai.trian');
  assert.match(warning?.message ?? '', /expected search, ai-input and ai-train/);
  assert.equal(
    (await sendRequest('/mistyped.md')).headers.get('content-signal'),
    'search=yes, ai-input=no, ai-train=no',
  );
});

test('every page has a Markdown alternate, at its own address and by content negotiation', async () => {
  const { slug } = await publish('title: Two forms\ntags: [two-forms]', 'Some *words*.\n\n<!-- hidden -->');
  await api.db.insertInto('roundups').values({ week: '2026-W47', state: 'published', at: new Date() }).execute();
  // Until the article is derived, its page has no validators.
  await eventually('the article derived', async () => (await sendRequest(`/${slug}`)).headers.has('etag'));
  for (const [path, markdown] of [
    ['/', '/index.md'],
    ['/about', '/about.md'],
    [`/authors/${api.author.username}`, `/authors/${api.author.username}.md`],
    [`/${slug}`, `/${slug}.md`],
    ['/tags/two-forms', '/tags/two-forms.md'],
    ['/roundup', '/roundup.md'],
    ['/roundup/2026-W47', '/roundup/2026-W47.md'],
  ] as const) {
    const page = await sendRequest(path, { accept: 'text/html, text/markdown;q=0.9' });
    const negotiated = await sendRequest(path, { accept: 'text/markdown, */*;q=0.1' });
    const own = await sendRequest(markdown);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(negotiated.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.equal(own.text, negotiated.text);
    assert.match(own.text, /^---\ntitle: "/);
    for (const { headers } of [page, negotiated]) assert.match(headers.get('vary') ?? '', /Accept/);
    assert.equal(negotiated.headers.get('content-location'), markdown);
    assert.equal(negotiated.headers.get('x-robots-tag'), null);
    assert.equal(own.headers.get('x-robots-tag'), 'noindex');
    for (const { headers } of [page, negotiated, own]) {
      const link = headers.get('link') ?? '';
      assert.ok(link.includes(`<${base}${path}>; rel="canonical"`), link);
      assert.ok(link.includes(`<${base}${markdown}>; rel="alternate"; type="text/markdown"`), link);
      assert.ok(link.includes(`<${base}/llms.txt>; rel="describedby"; type="text/markdown"`), link);
    }
    assert.ok(page.text.includes(`<link rel="alternate" type="text/markdown" href="${base}${markdown}">`));
    assert.ok(page.text.includes(`<link rel="describedby" type="text/markdown" href="${base}/llms.txt">`));
    assert.notEqual(page.headers.get('etag'), negotiated.headers.get('etag'));
    const again = await sendRequest(markdown, { 'if-none-match': own.headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
  }
  assert.match((await sendRequest(`/${slug}.md`)).text, /\nSome \*words\*\.\n$/);
});

test('drafts, scheduled articles and unknown slugs give 404 in every form; withdrawn articles give 410', async () => {
  const { slug } = await publish('title: Taken back');
  await publish('title: Taken back\ndraft: true');
  for (const path of [`/${slug}`, `/${slug}.md`, `/api/geo/posts/${slug}`]) {
    assert.equal((await sendRequest(path)).status, 410, path);
  }
  assert.equal((await sendRequest(`/${slug}`, { accept: 'text/markdown' })).status, 410);
  const unknown = await sendRequest('/never-was.md');
  for (const path of ['/a-draft-of-mine.md', '/a-scheduled-one.md', '/authors/nobody.md', '/..%2f.md', '/.md']) {
    const { status, text } = await sendRequest(path);
    assert.deepEqual([status, text], [404, unknown.text], path);
  }
  assert.equal((await sendRequest('/a-draft-of-mine', { accept: 'text/markdown' })).text, unknown.text);
});

test('the Markdown alternate of a former address redirects to the current one', async () => {
  const { id } = await publish('title: Old name\nslug: old-name');
  await publish(`title: Old name\nid: ${id}\nslug: new-name`);
  const { status, headers } = await sendRequest('/old-name.md');
  assert.equal(status, 301);
  assert.equal(headers.get('location'), `${base}/new-name.md`);
});

test('a tag that ends in .md has its own page, Markdown alternate and feeds, as has the tag without it', async () => {
  await publish('title: Files for agents\ntags: [agents.md]', 'Text.');
  await publish('title: Agents themselves\ntags: [agents]', 'Text.');
  const page = await sendRequest('/tags/agents%2Emd');
  assert.match(page.text, /Files for agents/);
  assert.match(page.text, /<h1 dir="auto">#agents\.md<\/h1>/);
  assert.match((await sendRequest('/tags/agents%2Emd.md')).text, /^# \\#agents\.md$/m);
  assert.match((await sendRequest('/tags/agents.md')).text, /^# \\#agents$/m);
  assert.equal((await sendRequest('/tags/agents%2emd/feed.xml')).status, 200);
  assert.ok((await sendRequest('/files-for-agents')).text.includes('href="/tags/agents%2Emd"'));
  assert.ok((await sendRequest('/sitemap-tags-0.xml')).text.includes(`<loc>${base}/tags/agents%2Emd</loc>`));
});

test('a title with any letters and quotes is read back from the Link header', async () => {
  await publish('title: Titled\ntags: [日本語, "say \\"hi\\""]');
  const titled = async (tag: string) =>
    (await sendRequest(`/tags/${encodeURIComponent(tag)}`)).headers.get('link') ?? '';
  assert.ok((await titled('日本語')).includes(`; title*=UTF-8''%23${encodeURIComponent('日本語')}%20%28RSS%29`));
  assert.ok((await titled('say "hi"')).includes(String.raw`; title="#say \"hi\" (RSS)"`));
});

test('HEAD gives the response of GET without the body', async () => {
  for (const path of ['/llms.txt', '/llms-full.txt', '/index.md', '/two-forms.md', '/.well-known/api-catalog']) {
    const head = await sendRequest(path, {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, ''], path);
  }
});

test('articles of a suspended author are in no catalogue, and their addresses give 410', async () => {
  const author = await api.createAuthor('banished');
  const { slug } = await publish('title: Of a suspended author', 'x', author.token);
  assert.match((await sendRequest('/llms.txt')).text, /Of a suspended author/);
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', author.id).execute();
  await eventually('the catalogue without the author', async () => {
    const { text } = await sendRequest('/llms.txt');
    return !/Of a suspended author|banished/.test(text);
  });
  for (const path of [`/api/geo/posts/${slug}`, `/${slug}`, `/${slug}.md`, `/api/v1/articles/${slug}`]) {
    await eventually(`${path} is gone`, async () => (await sendRequest(path)).status === 410);
  }
});

test('an agent that knows only the host finds the APIs and the MCP server', async () => {
  const catalogue = await sendRequest('/.well-known/api-catalog');
  assert.match(
    catalogue.headers.get('content-type') ?? '',
    /^application\/linkset\+json; ?profile="https:\/\/www\.rfc-editor/,
  );
  const status = [{ href: `${base}/health/ready`, type: 'application/json' }];
  assert.deepEqual(JSON.parse(catalogue.text), {
    linkset: [
      {
        anchor: `${base}/api/v1/`,
        'service-desc': [{ href: `${base}/api/v1/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${base}/llms.txt`, type: 'text/markdown' }],
        status,
      },
      {
        anchor: `${base}/mcp`,
        'service-desc': [{ href: `${base}/mcp/server-card`, type: 'application/mcp-server-card+json' }],
        status,
      },
    ],
  });
  assert.equal(catalogue.headers.get('link'), `<${base}/llms.txt>; rel="describedby"`);
  const card = await sendRequest('/mcp/server-card');
  assert.equal(card.headers.get('access-control-allow-origin'), '*');
  assert.equal(card.headers.get('content-type'), 'application/mcp-server-card+json');
  assert.deepEqual(JSON.parse(card.text), {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `localhost/${MCP_SERVER.name}`,
    version: MCP_SERVER.version,
    title: MCP_SERVER.title,
    description: 'Search and read the articles of this site, and list its changes.',
    websiteUrl: `${base}/`,
    remotes: [{ type: 'streamable-http', url: `${base}/mcp` }],
  });
  assert.deepEqual(MCP_SERVER, { name: 'courant', title: 'Courant', version: '1.0.0' });
});
