/** Costly documents are rejected before they are executed (A12, A27, A28). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { createResponseMeter } from '../../../api/graphql/bounds/response-meter.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';

let api: TestApi;
let articleId = '';
before(async () => {
  api = await startTestApi();
  articleId = (await api.publish({ content: markdown({ title: 'One' }) })).body.data?.id ?? '';
  await runGraphql(api, api.author.id, '{ me { id } }');
});
after(() => api.close());

const repeat = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join(' ');

/**
 * A chain of fragments that each use the next several times: the last is used width^length times.
 */
function writeBomb(
  type: string,
  { length, width }: { length: number; width: number },
  enter: (inner: string, n: number) => string,
  leaf: string,
) {
  const chain = repeat(
    length,
    (n) => `fragment F${n} on ${type} { ${repeat(width, (m) => enter(`...F${n + 1}`, n * width + m))} }`,
  );
  return `${chain} fragment F${length} on ${type} { ${leaf} }`;
}

const INTROSPECTION_BOMB = `{ __schema { types { ...F0 } } } ${writeBomb('__Type', { length: 3, width: 4 }, (inner, n) => `a${n}: fields { type { ${inner} } }`, 'name description')}`;
const FLAT_INTROSPECTION_BOMB = `{ __schema { ${repeat(45, (n) => `t${n}: types { ...T }`)} } } fragment T on __Type { name kind fields { name description args { name description type { name } } type { name } } }`;
const DEEP_LIST = `{ articles(first: 100) { edges { node { deliveries { formerCopies { url message account destination isUncertain isWithdrawn } error state } notices { code message at } } } } }`;

const HOSTILE: Record<string, { query: string; variables?: Record<string, unknown>; code?: string }> = {
  'aliased fragments over the introspection': { query: INTROSPECTION_BOMB },
  'the schema under many aliases': { query: FLAT_INTROSPECTION_BOMB, code: 'TOO_COSTLY' },
  'fragments that double twenty times': {
    query: `{ article(id: "${'0'.repeat(8)}-0000-0000-0000-000000000000") { ...F0 } } ${writeBomb('Article', { length: 20, width: 2 }, (inner) => inner, 'id title')}`,
    code: 'TOO_COSTLY',
  },
  'one field many times, through thirty fragments': {
    query: `{ __type(name: "User") { ...F0 } } ${writeBomb('__Type', { length: 28, width: 5 }, (inner) => `ofType { ${inner} }`, 'name')}`,
  },
  'fragments in a cycle': { query: '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }' },
  'a fragment in itself': { query: '{ me { ...A } } fragment A on User { id ...A }' },
  'a flood of directives': { query: `{ me { id ${repeat(400, () => '@include(if: true)')} } }` },
  'a flood of unknown directives': { query: `{ me ${repeat(400, (n) => `@d${n}`)} { id } }`, code: 'TOO_LARGE' },
  'a flood of variables': { query: `query (${repeat(400, (n) => `$v${n}: String`)}) { me { id } }`, code: 'TOO_LARGE' },
  'a flood of operations': { query: repeat(150, (n) => `query q${n} { me { id } }`), code: 'TOO_LARGE' },
  'a flood of inline fragments': {
    query: `{ me { ${'... on User { '.repeat(120)} id ${'}'.repeat(120)} } }`,
    code: 'TOO_LARGE',
  },
  'ninety-eight aliases of one field': {
    query: `{ ${repeat(98, (n) => `d${n}: deliveries(articleId: "x") { state }`)} }`,
    code: 'TOO_LARGE',
  },
  'one field three hundred times': { query: `{ me { ${repeat(301, () => 'id')} } }`, code: 'TOO_LARGE' },
  'fields that contradict each other in pairs': {
    query: `{ ${repeat(140, (n) => `articles(first: ${n + 1}) { pageInfo { hasNextPage } }`)} }`,
  },
  'a list of lists': { query: DEEP_LIST, code: 'TOO_COSTLY' },
  'a list of lists whose length is a variable': {
    query: DEEP_LIST.replace('{ articles(first: 100)', 'query ($n: Int) { articles(first: $n)'),
    variables: { n: 2_000_000_000 },
    code: 'TOO_COSTLY',
  },
  'a list whose length is a variable’s default': {
    query: `query ($n: Int = 100) { articles(first: $n) { edges { node { ${repeat(60, () => 'id')} } } } }`,
    code: 'TOO_COSTLY',
  },
  'a list that a directive with a variable excludes': {
    query: `query ($no: Boolean = true) { articles(first: 100) @include(if: $no) { edges { node { ${repeat(60, () => '__typename')} } } } }`,
    code: 'TOO_COSTLY',
  },
  'a variable of sixty kilobytes': {
    query: 'query ($a: String) { articles(after: $a) { pageInfo { endCursor } } }',
    variables: { a: 'x'.repeat(60_000) },
  },
  'a variable nested 3,000 levels deep': {
    query: 'query ($f: ArticlesFilter) { articles(filter: $f) { pageInfo { endCursor } } }',
    variables: { f: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) },
  },
  'a selection nested 600 levels deep': { query: `{ ${'me { '.repeat(600)} id ${'}'.repeat(600)} }` },
};

for (const [name, { query, variables, code }] of Object.entries(HOSTILE)) {
  test(`${name}: rejected at a cost of less than a second, with a small response, with and without a session (A27)`, async () => {
    for (const userId of [null, api.author.id]) {
      const readUsedMs = startProcessorWatch();
      const answer = await runGraphql(api, userId, query, variables);
      const usedMs = readUsedMs();
      assert.ok(answer.status === 400 || (answer.status === 200 && answer.message), answer.text.slice(0, 500));
      assert.doesNotMatch(answer.text, /INTERNAL_SERVER_ERROR|internal_error/);
      if (code) assert.equal(answer.code, code, answer.text.slice(0, 500));
      assert.ok(usedMs < 1_000, `${usedMs} ms`);
      assert.ok(answer.text.length < 64 * 1024, `${answer.text.length} characters`);
    }
  });
}

test('the documents of the desk are within the limits', async () => {
  const page = `{ me { username } articles(first: 50) { edges { cursor node { id slug title status url publishedAt updatedAt deliveries { destination state remoteUrl error } } } pageInfo { hasNextPage endCursor } } connections { label status } digestSettings { frequency } }`;
  const answer = await runGraphql(api, api.author.id, page);
  assert.equal(answer.code, undefined, answer.text);
  const mutation = `mutation { ${repeat(20, (n) => `r${n}: retryDelivery(articleId: "${articleId}", destination: blogsite_a) { state error }`)} }`;
  assert.equal((await runGraphql(api, api.author.id, mutation)).status, 200);
});

test('introspection requires a session unless GRAPHQL_INTROSPECTION=everybody', async (t) => {
  const full = getIntrospectionQuery({
    specifiedByUrl: true,
    inputValueDeprecation: true,
    oneOf: true,
    directiveIsRepeatable: true,
  });
  assert.ok((await runGraphql(api, api.author.id, full)).data.__schema.types.length > 20);
  for (const query of [full, '{ __schema { queryType { name } } }', '{ __type(name: "User") { fields { name } } }']) {
    const answer = await runGraphql(api, null, query);
    assert.equal(answer.status, 400);
    assert.equal(answer.code, 'INTROSPECTION_OFF');
  }
  assert.deepEqual((await runGraphql(api, null, '{ __typename __type(name: "User") { name } }')).data, {
    __typename: 'Query',
    __type: { name: 'User' },
  });
  const open = await startTestApi({ env: { GRAPHQL_INTROSPECTION: 'everybody' } });
  t.after(() => open.close());
  assert.ok((await runGraphql(open, null, full)).data.__schema.types.length > 20);
});

test('a rate-limited request gets Retry-After; people are counted by session, strangers by network', async (t) => {
  const slow = await startTestApi({ env: { GRAPHQL_RATE_PER_MINUTE: '10' } });
  t.after(() => slow.close());
  const post = async (userId: string | null) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (userId) headers.authorization = `Bearer ${await slow.sessions.issue('courant:session', userId)}`;
    return fetch(`${slow.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ me { id } }"}' });
  };
  const other = await slow.createAuthor('other');
  for (const [who, limit] of [
    [null, 2],
    [slow.author.id, 10],
  ] as const) {
    for (let n = 0; n < limit; n++) assert.equal((await post(who)).status, 200);
    const refused = await post(who);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.equal(refused.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    assert.equal(((await refused.json()) as { code: string }).code, 'rate_limited');
  }
  assert.equal((await post(other.id)).status, 200, 'nobody pays for another');
});

test('after the time limit no field is started, and an oversized response is not extended', () => {
  const info = (operation: string, path: object) => ({ operation: { operation }, path }) as never;
  const late = createResponseMeter({ ms: 0, characters: 10 });
  const code = (name: string) => ({ extensions: { code: name } });
  assert.throws(() => late.checkTime(info('query', { prev: {} })), code('TOO_SLOW'));
  assert.throws(() => late.checkTime(info('mutation', { prev: undefined })), code('TOO_SLOW'));
  // An executed mutation is always reported.
  assert.doesNotThrow(() => late.checkTime(info('mutation', { prev: {} })));
  late.count('12345');
  late.count(['123', 4, null]);
  assert.throws(() => late.count('1'), code('TOO_LARGE'));
});
