/** Checks every request to Ghost against the schemas that Ghost itself uses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/schema';
import { readShared, sharedPath } from '../../support/shared-data.ts';
import { type RecordedRequest, recordRequests } from '../recorded-requests.ts';
import { ghostRow } from '../rows/ghost.ts';

const schemas = sharedPath('contracts/ghost-posts.schema.json');
const HOSTILE = {
  title: `${'"{{title}}" <b> '.repeat(40)}end`,
  subtitle: 'sub '.repeat(200),
  excerpt: 'excerpt '.repeat(200),
  canonicalUrl: "https://É.example/ü/{x}/it's?q=[1]|2%zz#a#b",
  coverImage: 'https://É.example/ü.png?{1}',
  tags: ['#x', ',y', 'C#', 'z'.repeat(300), '中文'],
  body: '# H\n\n| a |\n|---|\n\n<script>x</script>\n',
};

test('every Ghost request matches Ghost’s own schema', { skip: schemas.skip }, async (context) => {
  for (const changes of [{}, HOSTILE]) {
    const recorded = await recordRequests(context, ghostRow, changes);
    const checked = recorded.filter(({ method }) => method !== 'GET').map(checkWrite);
    assert.deepEqual(checked, ['POST', 'PUT', 'PUT']);
  }
});

test('the schemas refuse requests that Ghost refuses', { skip: schemas.skip }, () => {
  const add = readSchema('add');
  assert.ok(Check(add, { posts: [{ title: 'T' }] }));
  for (const post of [
    {},
    { title: 'T', custom_excerpt: 'x'.repeat(301) },
    { title: 'T', canonical_url: 'https://a.io/{x}' },
    { title: 'T', status: 'public' },
    { title: 'T', strange: 1 },
    { title: 'T', tags: [{}] },
  ]) {
    assert.ok(!Check(add, { posts: [post] }), JSON.stringify(post));
  }
  assert.ok(!Check(add, { posts: [{ title: 'T' }, { title: 'U' }] }));
  assert.ok(!Check(readSchema('edit'), { posts: [{ title: 'T' }] }), 'an edit names the version it was made for');
});

test('every Ghost request except the one for the site is signed, and its path ends in a slash', async (context) => {
  for (const { path, headers, body } of await recordRequests(context, ghostRow)) {
    const { pathname, searchParams } = new URL(path, 'http://x');
    assert.match(pathname, /^\/ghost-site\/ghost\/api\/admin\/(?:site|posts|posts\/[0-9a-f]{24})\/$/);
    assert.match(String(headers['accept-version']), /^v[56]\.\d+$/);
    if (pathname.endsWith('/site/')) assert.equal(headers.authorization, undefined);
    else assert.match(headers.authorization ?? '', /^Ghost [\w-]+\.[\w-]+\.[\w-]+$/);
    if (body === undefined) continue;
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(searchParams.get('source'), 'html', 'else the text is ignored');
  }
});

function checkWrite({ method, body }: RecordedRequest): string {
  const schema = readSchema(method === 'POST' ? 'add' : 'edit');
  assert.ok(Check(schema, body), JSON.stringify(body).slice(0, 2000));
  return method;
}

/**
 * With resolved references and no other fields allowed, because Ghost silently drops unknown
 * fields.
 */
function readSchema(kind: 'add' | 'edit'): object {
  const { definitions } = JSON.parse(readShared('contracts/ghost-posts.schema.json'));
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (value === null || typeof value !== 'object') return value;
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined) return inline(definitions[$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, inline(entry)]));
  };
  const { $id: _, $schema: __, ...schema } = JSON.parse(readShared(`contracts/ghost-posts-${kind}.schema.json`));
  return inline(schema) as object;
}
