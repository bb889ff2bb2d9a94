/** `robots.txt`, read by a parser of the protocol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import robotsParser from 'robots-parser';
import { formatRobotsTxt } from '../../../article/discovery/robots.ts';
import { SITE } from '../support/documents.ts';

const text = formatRobotsTxt({ baseUrl: SITE, contentSignal: 'search=yes, ai-train=no' });
// CommonJS: the types declare a default export of a module, but the function itself is exported.
const parse = robotsParser as unknown as typeof robotsParser.default;
const robots = parse(`${SITE}/robots.txt`, text);

test('programs may read what readers and agents see, and not what only people can use', () => {
  const open = [
    '/',
    '/an-article',
    '/an-article.md',
    '/authors/ada',
    '/tags/c%23',
    '/feed.xml',
    '/sitemap-articles-0.xml',
  ];
  open.push(
    '/llms.txt',
    '/llms-full.txt',
    '/api/geo/posts/an-article',
    '/api/geo/changes?since=0',
    '/api/v1/articles?q=x',
  );
  open.push('/api/v1/openapi.json', '/.well-known/mcp.json');
  for (const path of open) assert.equal(robots.isAllowed(`${SITE}${path}`, 'SomeBot'), true, path);
  const closed = ['/graphql', '/graphql?query=x', '/desk', '/desk/settings', '/account/confirm-email?token=x'];
  closed.push(
    '/digest/unsubscribe?token=x',
    '/newsletter/confirm?token=x',
    '/notifications/stream?token=x',
    '/health/live',
  );
  for (const path of closed) assert.equal(robots.isAllowed(`${SITE}${path}`, 'SomeBot'), false, path);
});

test('an article may be read if its slug begins like a closed path', () => {
  for (const slug of [
    'graphql-by-example',
    'desk-setup',
    'login-forms',
    'account-of-a-journey',
    'digest-algorithms',
    'health',
  ]) {
    assert.equal(robots.isAllowed(`${SITE}/${slug}`, 'SomeBot'), true, slug);
  }
});

test('robots.txt names the sitemap, and the site’s content signal if there is one', () => {
  assert.deepEqual(robots.getSitemaps(), [`${SITE}/sitemap.xml`]);
  assert.equal(
    text,
    `User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
Disallow: /graphql$
Disallow: /graphql?
Disallow: /desk$
Disallow: /desk/
Disallow: /login$
Disallow: /login?
Disallow: /search?
Disallow: /account/
Disallow: /digest/
Disallow: /newsletter/
Disallow: /notifications/
Disallow: /dev/
Disallow: /health/
Disallow: /api/v1/account/

Sitemap: ${SITE}/sitemap.xml
`,
  );
  assert.match(formatRobotsTxt({ baseUrl: SITE, contentSignal: null }), /^User-agent: \*\nAllow: \/\n/);
});
