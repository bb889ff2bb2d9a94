/** What the endpoint of page views reads from a report, with a recorder that only collects. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { ProblemSchema } from '../../../api/plugins/errors/problem.ts';
import { pageViewRoutes } from '../../../api/readers/page-views/routes.ts';
import { errorPlugin } from '../../../api/web/error-handler.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let app: FastifyInstance;
let seen: object[] = [];
let isFull = false;
before(async () => {
  app = fastify({ trustProxy: true });
  app.addSchema(ProblemSchema);
  await app.register(errorPlugin);
  const add = async (view: object) => {
    seen.push(view);
    return !isFull;
  };
  await app.register(pageViewRoutes, {
    recorder: { add, stop: async () => undefined },
    baseUrl: 'https://www.blog.example:8443/x',
  });
});
after(() => app.close());
beforeEach(() => {
  seen = [];
  isFull = false;
});

let clients = 0;
function report(payload: string, headers: Record<string, string> = {}, slug = 'a-slug') {
  clients += 1;
  return app.inject({
    ...{ method: 'POST', url: `/api/v1/articles/${slug}/readings`, payload },
    headers: {
      ...{ 'content-type': 'text/plain', 'user-agent': BROWSER },
      'x-forwarded-for': `192.0.${Math.floor(clients / 250)}.${clients % 250}`,
      ...headers,
    },
  });
}

test('a report without a body is a view without reading time', async () => {
  for (const payload of ['', ' \n']) {
    const { statusCode, headers, body } = await report(payload, { 'x-forwarded-for': '192.0.2.7' });
    assert.deepEqual([statusCode, headers['cache-control'], body], [204, 'no-store', '']);
  }
  const view = { slug: 'a-slug', address: '192.0.2.7', userAgent: BROWSER, seconds: 0, host: 'direct' };
  assert.deepEqual(seen, [view, view]);
});

test('reading time is rounded, up to 15 minutes', async () => {
  for (const [seconds, expected] of [
    ['0', 0],
    ['30.5', 31],
    ['30.4', 30],
    ['900', 900],
    ['901', 900],
    ['1e300', 900],
  ] as const) {
    assert.equal((await report(`{"seconds":${seconds}}`)).statusCode, 204);
    assert.partialDeepStrictEqual(seen.pop(), { seconds: expected });
  }
});

test('a referrer counts with its public host name, otherwise as direct', async () => {
  const label = 'x'.repeat(63);
  for (const [referrer, host] of [
    ['https://WWW.News.Example/item?id=42#secret', 'news.example'],
    ['HTTP://news.example', 'news.example'],
    ['https://news.example.', 'news.example'],
    ['https://a_b.c-d.example', 'a_b.c-d.example'],
    ['https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://192.0.2.1/', 'direct'],
    ['https://wwwx.example', 'wwwx.example'],
    ['https://x.www.example', 'x.www.example'],
    [`https://${label}.example`, `${label}.example`],
    [`https://${`${label}.`.repeat(3)}${'x'.repeat(61)}`, `${`${label}.`.repeat(3)}${'x'.repeat(61)}`],
    [`https://${`${label}.`.repeat(3)}${'x'.repeat(62)}`, 'direct'],
    [`https://x${label}.example`, 'direct'],
    ['https://a.b', 'direct'],
    ['https://a.bc', 'a.bc'],
    ['https://-a.example', 'direct'],
    ['https://a-.example', 'direct'],
    ['https://a.ex_ample', 'direct'],
    ['https://a..example', 'direct'],
    ['https://localhost', 'direct'],
    ['https://[2001:db8::1]/', 'direct'],
    ['https://blog.example/', 'direct'],
    ['http://www.blog.example', 'direct'],
    ['https://blog.example.', 'direct'],
    ['https://other.blog.example', 'other.blog.example'],
    ['android-app://com.news.example', 'direct'],
    ['x https://news.example', 'direct'],
    ['https://', 'direct'],
    ['', 'direct'],
  ] as const) {
    assert.equal((await report(JSON.stringify({ referrer }), { 'content-type': 'application/json' })).statusCode, 204);
    assert.partialDeepStrictEqual(seen.pop(), { host }, referrer);
  }
});

test('bots, readers who opt out and impossible slugs are accepted and not recorded', async () => {
  for (const headers of [
    { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    { 'user-agent': '' },
    { 'sec-gpc': '1' },
    { dnt: '1' },
  ]) {
    assert.equal((await report('', headers)).statusCode, 204);
  }
  assert.equal((await report('', {}, '%00')).statusCode, 204);
  assert.deepEqual(seen, []);
  await report('', { 'sec-gpc': '0', dnt: '0' }, 'x'.repeat(100));
  assert.equal(seen.length, 1);
});

test('a user agent is cut at 512 characters', async () => {
  await report('', { 'user-agent': `${BROWSER}${'x'.repeat(600)}` });
  const [view] = seen as { userAgent: string }[];
  assert.equal(view?.userAgent, `${BROWSER}${'x'.repeat(600)}`.slice(0, 512));
});

test('a malformed report is rejected with its expected form', async () => {
  for (const payload of ['{', 'null', '[]', '"x"', '7', '{"seconds":-1}', '{"seconds":null}', '{"referrer":1}']) {
    const answer = await report(payload);
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'malformed_reading'], payload);
    const expected = 'The body must be empty or a JSON object with seconds (a number) and referrer (a URL).';
    assert.equal(answer.json().detail, expected);
  }
  assert.equal((await report(' '.repeat(4_096))).statusCode, 204);
  assert.equal((await report(' '.repeat(4_097))).statusCode, 413);
  assert.equal((await report('x', { 'content-type': 'text/html' })).statusCode, 415);
});

test('a report for which the queue has no space can be repeated after five seconds', async () => {
  isFull = true;
  const { statusCode, headers, ...answer } = await report('');
  assert.deepEqual([statusCode, headers['retry-after'], answer.json().code], [503, '5', 'busy']);
  assert.equal(answer.json().detail, 'Too many page views are waiting to be written.');
});

test('300 reports per minute are accepted from a network', async () => {
  const sent = [];
  for (let n = 0; n < 300; n++) sent.push((await report('', { 'x-forwarded-for': '203.0.113.9' })).statusCode);
  assert.deepEqual(new Set(sent), new Set([204]));
  const refused = await report('', { 'x-forwarded-for': '203.0.113.9' });
  assert.equal(refused.statusCode, 429);
  assert.match(refused.json().detail, /^The limit is 300 reports per minute\. Try again in /);
});
