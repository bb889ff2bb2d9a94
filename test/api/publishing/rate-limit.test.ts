import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { markdown, postArticle, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
let second: TestApi;
before(async () => {
  const env = { PUBLISH_RATE_PER_MINUTE: '10' };
  api = await startTestApi({ env });
  second = await startTestApi({ env, databaseUrl: api.databaseUrl, home: api.home });
});
after(async () => {
  await second.close();
  await api.close();
});

test('the eleventh publish within a minute gives 429 with RateLimit headers and Retry-After', async () => {
  const { token } = await api.createAuthor('eleven');
  for (let n = 1; n <= 10; n++) {
    const answer = await api.publish({ content: markdown({ title: `Number ${n}` }) }, { token });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('ratelimit-limit'), '10');
    assert.equal(answer.headers.get('ratelimit-remaining'), String(10 - n));
    assert.ok(Number(answer.headers.get('ratelimit-reset')) <= 60);
  }
  const refused = await api.publish({ content: markdown({ title: 'Number 11' }) }, { token });
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, 'rate_limited');
  assert.equal(refused.headers.get('ratelimit-remaining'), '0');
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/);
});

test('every response to a valid token counts and carries the headers, errors included', async () => {
  const { token } = await api.createAuthor('erring');
  const failures = [
    await api.publish('{', { token }),
    await api.publish('x', { token, headers: { 'content-type': 'text/plain' } }),
    await api.publish({ content: 5 }, { token }),
    await api.publish(`{"content":"${'x'.repeat(7 * 1024 * 1024)}"}`, { token }),
  ];
  assert.deepEqual(
    failures.map((answer) => answer.status),
    [400, 415, 422, 413],
  );
  assert.deepEqual(
    failures.map((answer) => answer.headers.get('ratelimit-remaining')),
    ['9', '8', '7', '6'],
  );
});

test('all API instances share the count', async () => {
  const { token } = await api.createAuthor('two-instances');
  for (let n = 0; n < 5; n++) await api.publish({ content: '# a' }, { token });
  const answer = await postArticle(second.url, token, { content: '# a' });
  assert.equal(answer.headers.get('ratelimit-remaining'), '4');
});

test('each token of an author has its own limit', async () => {
  const author = await api.createAuthor('two-tokens');
  const { token } = await createDeveloperToken(api.db, { userId: author.id, name: 'second', now: new Date() });
  for (const one of [author.token, token]) {
    assert.equal((await api.publish({ content: '# a' }, { token: one })).headers.get('ratelimit-remaining'), '9');
  }
});

test('of eleven concurrent publishes at two instances, ten create articles and one gets an explained 429', async () => {
  const { id, token } = await api.createAuthor('eleven-at-once');
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) =>
      postArticle([api, second][n % 2]?.url ?? '', token, { content: markdown({ title: `At once ${n}` }) }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array<number>(10).fill(201), 429]);
  assert.match(answers.find(({ status }) => status === 429)?.body.detail ?? '', /10 times within a minute/);
  const stored = await api.db.selectFrom('articles').select('id').where('authorId', '=', id).execute();
  assert.equal(stored.length, 10);
});

test('rotating forwarded addresses and spellings of "bearer" do not reset the limit (A14)', async () => {
  const { token } = await api.createAuthor('rotating');
  const statuses: number[] = [];
  for (let n = 1; n <= 11; n++) {
    const scheme = ['Bearer', 'bearer', 'BEARER', 'Bearer '][n % 4];
    const headers = { authorization: `${scheme} ${token}`, 'x-forwarded-for': `203.0.113.${n}` };
    statuses.push((await api.publish({ content: '# a' }, { headers })).status);
  }
  assert.equal(statuses.at(-1), 429);
  assert.equal(statuses.filter((status) => status === 429).length, 1);
});

test('invalid tokens do not consume an author’s limit or create counters, and are limited by address (A15)', async () => {
  const statuses = new Set<number>();
  for (let n = 0; n < 70; n++) {
    const token = `courant_${n.toString(16).padStart(48, 'a')}`;
    statuses.add((await api.publish({ content: '# a' }, { token })).status);
  }
  assert.deepEqual([...statuses].sort(), [401, 429]);
  const buckets = await api.db
    .selectFrom('rateCounters')
    .select('bucket')
    .where('bucket', 'like', 'refused:%')
    .execute();
  assert.equal(buckets.length, 1);
  const { token } = await api.createAuthor('untouched');
  assert.equal((await api.publish({ content: '# a' }, { token })).headers.get('ratelimit-remaining'), '9');
});
