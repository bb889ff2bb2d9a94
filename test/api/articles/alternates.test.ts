/** Tests which form of a page a request gets, and the headers of each, with pages that a test builds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import {
  buildAbsentResponse,
  buildFormResponse,
  servePage,
  servePages,
} from '../../../api/articles/alternates/alternates.ts';
import type { PublicResponder } from '../../../api/http-cache/public-responder.ts';
import { PAGE_HEADERS } from '../../../api/web/send-page.ts';

const app = Fastify();
const responder: PublicResponder = {
  send: async (_request, reply, { key, make }) => reply.send({ key, ...(await make()) }),
  serve: () => undefined,
};
before(() => {
  const page = { path: '/roundup', markdownPath: '/roundup.md' };
  servePage(app, responder, page, async (form) => buildAbsentResponse(form));
  servePages(app, responder, '/tags', async (name, form, path) =>
    name === 'old'
      ? { status: 301, location: `${path}-new`, cacheTags: [] }
      : {
          ...{ status: name === 'gone' ? 410 : 200, type: form, body: `${name} ${path}`, headers: { given: 'yes' } },
          ...{ lastModified: null, cacheTags: [] },
        },
  );
});
after(() => app.close());

async function request(url: string, accept?: string) {
  const answer = await app.inject({ url, headers: accept === undefined ? {} : { accept } });
  return answer.json();
}

test('a page is sent at its address, and its alternate at the address with .md, which is not indexed', async () => {
  const rest = { status: 200, lastModified: null, cacheTags: [] };
  const body = 'rust /tags/rust';
  assert.deepEqual(await request('/tags/rust'), {
    ...{ key: '/tags/rust', type: 'page', body, headers: { given: 'yes', vary: 'Accept' } },
    ...rest,
  });
  assert.deepEqual(await request('/tags/rust.md', 'text/html'), {
    ...{ key: '/tags/rust.md', type: 'markdown', body, headers: { given: 'yes', 'x-robots-tag': 'noindex' } },
    ...rest,
  });
});

test('a request that prefers Markdown gets the alternate at the address of the page', async () => {
  const preferred = await request('/tags/rust', 'text/markdown');
  assert.deepEqual(
    [preferred.key, preferred.type, preferred.headers],
    ['/tags/rust as Markdown', 'markdown', { given: 'yes', vary: 'Accept', 'content-location': '/tags/rust.md' }],
  );
  const gone = await request('/tags/gone', 'text/markdown');
  assert.deepEqual([gone.status, gone.headers], [410, { given: 'yes', vary: 'Accept' }]);
});

test('a page at a fixed path has both forms too', async () => {
  const [page, markdown, preferred] = await Promise.all([
    request('/roundup'),
    request('/roundup.md'),
    request('/roundup', 'text/markdown'),
  ]);
  assert.deepEqual([page.key, page.type], ['/roundup', 'text/html; charset=utf-8']);
  assert.deepEqual([markdown.key, markdown.type], ['/roundup.md', 'text/markdown; charset=utf-8']);
  assert.deepEqual([preferred.key, preferred.body], ['/roundup as Markdown', markdown.body]);
});

test('a redirect of an alternate leads to the other alternate', async () => {
  for (const [path, accept, location] of [
    ['/tags/old', undefined, '/tags/old-new'],
    ['/tags/old', 'text/markdown', '/tags/old-new'],
    ['/tags/old.md', undefined, '/tags/old-new.md'],
  ] as const) {
    const answer = await request(path, accept);
    assert.deepEqual([answer.status, answer.location, answer.headers], [301, location, undefined], path);
  }
});

test('only an unescaped .md at the end of the path names the alternate', async () => {
  for (const [path, type, name] of [
    ['/tags/a.md?x=1', 'markdown', 'a /tags/a'],
    ['/tags/a%2Emd', 'page', 'a.md /tags/a%2Emd'],
    ['/tags/a%2Emd?x=.md', 'page', 'a.md /tags/a%2Emd'],
    ['/tags/a%2Emd.md', 'markdown', 'a.md /tags/a%2Emd'],
    ['/tags/a.mdx', 'page', 'a.mdx /tags/a.mdx'],
    ['/tags/a?x=a.md', 'page', 'a /tags/a'],
  ] as const) {
    const answer = await request(path);
    assert.deepEqual([answer.type, answer.body], [type, name], path);
  }
});

test('a response in either form states its links and its content signal', () => {
  const shown = { body: 'Text.', lastModified: new Date(0), cacheTags: ['articles'] as const };
  const links = [{ rel: 'canonical', href: 'https://x.example/' }] as const;
  const link = '<https://x.example/>; rel="canonical"';
  assert.deepEqual(buildFormResponse('page', { ...shown, links, signal: {} }), {
    ...{ status: 200, type: 'text/html; charset=utf-8', headers: { ...PAGE_HEADERS, link } },
    ...shown,
  });
  assert.deepEqual(buildFormResponse('markdown', { ...shown, links, signal: { search: true } }), {
    ...{ status: 200, type: 'text/markdown; charset=utf-8' },
    headers: { 'access-control-allow-origin': '*', link, 'content-signal': 'search=yes' },
    ...shown,
  });
});

test('an absent article has a page and a text, and neither is cached', () => {
  const rest = { lastModified: null, cacheTags: [] };
  assert.deepEqual(buildAbsentResponse('markdown'), {
    ...{ status: 404, type: 'text/markdown; charset=utf-8', ...rest },
    body: '# Not found\n\nThere is no article at this address.\n',
  });
  assert.deepEqual(buildAbsentResponse('markdown', 410), {
    ...{ status: 410, type: 'text/markdown; charset=utf-8', ...rest },
    body: '# Withdrawn\n\nThis article is no longer published.\n',
  });
  for (const [status, heading] of [
    [404, 'Not found'],
    [410, 'Withdrawn'],
  ] as const) {
    const { body, ...response } = buildAbsentResponse('page', status);
    assert.deepEqual(response, { status, type: 'text/html; charset=utf-8', headers: PAGE_HEADERS, ...rest });
    assert.match(String(body), new RegExp(`<h1>${heading}</h1>`));
  }
});
