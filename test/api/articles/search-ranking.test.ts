import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { readAllSlugs, requestList, titles, waitUntilAllDerived } from './support/lists.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
  for (const [title, body] of ARTICLES) {
    assert.equal((await api.publish({ content: markdown({ title, lang: 'en' }, body) })).status, 201, title);
  }
  await waitUntilAllDerived(api);
});
after(() => api.close());

const REPEATED = Array.from({ length: 60 }, () => 'The event loop turns, and how Docker works is told.').join('\n\n');
const ARTICLES = [
  ['How Docker works', 'Containers explained.'],
  ['The Who', 'A band.'],
  ['Event loop', 'About timers and such things in a runtime.'],
  ['Sixty times', REPEATED],
  ['Told in passing', 'It is said of how docker works, who knows. The end of who.'],
  ['Naïveté and containers', 'Of those who trust.'],
  ['Trusting', 'A container without any naivete in it.'],
] as const;

test('the article with the searched title ranks first, above articles that repeat the words or are newer', async () => {
  for (const [q, first] of [
    ['how docker works', 'How Docker works'],
    ['the who', 'The Who'],
    ['event loop', 'Event loop'],
    ['docker works how', 'How Docker works'],
    ['naivete containers', 'Naïveté and containers'],
  ] as const)
    assert.equal(titles((await requestList(api, { q })).body)[0], first, q);
});

test('pages of ranked results list each article once', async () => {
  const whole = (await requestList(api, { q: 'docker', first: '50' })).body.data.map(({ slug }) => slug);
  assert.deepEqual(await readAllSlugs(api, { q: 'docker', first: '1' }), whole);
});
