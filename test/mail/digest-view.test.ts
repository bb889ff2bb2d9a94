/** The texts of a digest for one and for many, and where it cuts names, texts and lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChange, formatCount, formatDuration, formatQuantity } from '../../mail/digest/figures.ts';
import { buildDigestHeaders, buildDigestMessageId, renderDigest } from '../../mail/digest/render.ts';
import { type DigestContent, viewDigest } from '../../mail/digest/view.ts';
import { minimalDigest, ordinaryDigest } from './support/digests.ts';

const view = (more: Partial<DigestContent>) => viewDigest({ ...minimalDigest(), ...more });
const ONE = { now: 1, before: 0 };
const [ARTICLE] = ordinaryDigest().articles as [DigestContent['articles'][number]];
const [QUESTION, DISCUSSION] = ordinaryDigest().discussions as [
  DigestContent['discussions'][number],
  DigestContent['discussions'][number],
];

test('a digest names its period by its number of days', () => {
  for (const [from, to, unit, dates] of [
    ['2026-11-15', '2026-11-15', 'day', '15 November 2026'],
    ['2026-11-10', '2026-11-15', '6 days', '10 – 15 November 2026'],
    ['2026-11-09', '2026-11-15', 'week', '9 – 15 November 2026'],
    ['2026-11-08', '2026-11-15', '8 days', '8 – 15 November 2026'],
    ['2026-02-01', '2026-02-27', '27 days', '1 – 27 February 2026'],
    ['2026-02-01', '2026-02-28', 'month', '1 – 28 February 2026'],
    ['2026-01-31', '2026-03-02', 'month', '31 January – 2 March 2026'],
    ['2026-01-31', '2026-03-03', '32 days', '31 January – 3 March 2026'],
    ['2026-12-28', '2027-01-03', 'week', '28 December 2026 – 3 January 2027'],
  ] as const) {
    const period = view({ period: { from, to, zone: 'UTC' } });
    assert.deepEqual([period.unit, period.dates.replaceAll(/\s/g, ' ')], [unit, dates]);
    assert.equal(period.subject, `Your ${unit} on Courant`);
    assert.equal(period.opening, `A quiet ${unit}: nothing new to report.`);
  }
  const period = { from: '2026-11-09', to: 'yesterday', zone: 'UTC' };
  assert.throws(() => view({ period }), new RangeError('the period of a digest requires ISO dates'));
});

test('each kind of news alone is the subject of a digest', () => {
  for (const [news, subject] of [
    [{ views: ONE }, '1 view'],
    [{ views: { now: 2, before: 0 } }, '2 views'],
    [{ discussions: [QUESTION] }, '1 open question'],
    [{ discussions: [DISCUSSION, DISCUSSION] }, '2 active discussions'],
    [{ followers: ONE }, '1 new follower'],
    [{ subscribers: ONE }, '1 new subscriber'],
    [{ reactions: { now: 3, before: 3 } }, '3 reactions'],
  ] satisfies [Partial<DigestContent>, string][]) {
    const { preview, dates, opening, ...rest } = view(news);
    assert.equal(rest.subject, `Your day: ${subject}`);
    assert.equal(preview, `${dates}: ${subject}`);
    assert.equal(opening, 'The activity on your articles, compared with the previous day.');
  }
});

test('an author who excludes followers from the digest gets no figure of them', () => {
  const { audience, subject } = view({ followers: null });
  assert.deepEqual(audience, [{ label: 'New subscribers', value: '0', change: 'unchanged', tone: 'same' }]);
  assert.equal(subject, 'Your day on Courant');
  assert.equal(view({ followers: null, newFollowers: ['Grace'] }).newFollowers, 'Grace');
});

test('new followers are named up to five, then counted', () => {
  const name = (newFollowers: string[], now: number) =>
    view({ newFollowers, followers: { now, before: 0 } }).newFollowers;
  assert.equal(name([], 3), '');
  assert.equal(name(['\u202e', ' '], 2), '');
  assert.equal(name(['Ada'], 1), 'Ada');
  assert.equal(name(['Ada', 'Bob'], 2), 'Ada and Bob');
  assert.equal(name(['Ada', '', 'Cyd'], 3), 'Ada, Cyd, and 1 more');
  assert.equal(name(['A', 'B', 'C', 'D', 'E', 'F'], 1_006), 'A, B, C, D, E, and 1,001 more');
  assert.equal(name(['x'.repeat(61)], 1), `${'x'.repeat(59)}…`);
});

test('lists have five entries; titles, names and excerpts have a maximum length', () => {
  const { pending, engaged, articles } = view({
    articles: Array.from({ length: 6 }, (_, index) => ({ ...ARTICLE, title: `Article ${index}` })),
    discussions: [...Array(6).fill({ ...QUESTION, title: 'Q' }), ...Array(6).fill({ ...DISCUSSION, title: 'D' })],
  });
  assert.deepEqual(
    [articles, pending, engaged].map((list) => list.map(({ title }) => title)),
    [['Article 0', 'Article 1', 'Article 2', 'Article 3', 'Article 4'], Array(5).fill('Q'), Array(5).fill('D')],
  );
  const long = (length: number) => 'x'.repeat(length);
  const cut = view({
    author: { name: long(81), username: long(81) },
    period: { ...minimalDigest().period, zone: long(61) },
    articles: [
      { ...ARTICLE, title: long(160) },
      { ...ARTICLE, title: long(161) },
      { ...ARTICLE, title: ' ' },
    ],
    discussions: [
      { ...DISCUSSION, excerpt: long(240), comments: 1 },
      { ...DISCUSSION, excerpt: long(241), title: '' },
    ],
  });
  assert.deepEqual([cut.name, cut.username, cut.zone], [`${long(79)}…`, `${long(79)}…`, `${long(59)}…`]);
  assert.deepEqual(
    cut.articles.map(({ title }) => title),
    [long(160), `${long(159)}…`, 'Untitled'],
  );
  assert.deepEqual(
    cut.engaged.map(({ title, excerpt, comments }) => [title, excerpt, comments]),
    [
      [DISCUSSION.title, long(240), '1 comment'],
      ['Untitled', `${long(239)}…`, '34 comments'],
    ],
  );
  assert.equal(view({ author: { name: '\u00ad', username: 'ada' } }).name, 'ada');
});

test('an article and an open question have their numbers in words, with an address of this site', () => {
  const { articles, pending } = view({
    articles: [{ ...ARTICLE, url: 'javascript:alert(1)', views: ONE, reactions: { now: 0, before: 2 } }],
    discussions: [
      { ...QUESTION, comments: 0 },
      { ...QUESTION, comments: 2, url: '/relative' },
    ],
  });
  assert.deepEqual(articles, [
    {
      ...{ title: ARTICLE.title, url: 'https://courant.example/' },
      views: { label: 'Views', value: '1 view', change: 'up from 0', tone: 'up' },
      reactions: { label: 'Reactions', value: '0 reactions', change: 'down from 2', tone: 'down' },
    },
  ]);
  assert.deepEqual(
    pending.map(({ comments, url }) => [comments, url]),
    [
      ['No reply yet', QUESTION.url],
      ['2 replies, none from you yet', 'https://courant.example/'],
    ],
  );
  assert.equal(view({ siteUrl: 'ftp://x', settingsUrl: '' }).settingsUrl, 'about:blank');
});

test('a discussion without an excerpt is listed without quotation marks', async () => {
  const { text } = await renderDigest({ ...minimalDigest(), discussions: [{ ...DISCUSSION, excerpt: '' }] });
  assert.match(
    text,
    /\* Notes on the Analytical Engine\n {2}34 comments\n {2}https:\/\/courant\.example\/notes#comments\n/,
  );
});

test('changes switch between a difference, a percentage and a multiple at fixed values', () => {
  for (const [now, before, text, tone] of [
    [20, 19, '+1', 'up'],
    [21, 20, '+5%', 'up'],
    [19, 20, '−5%', 'down'],
    [1_004, 1_000, '+4', 'up'],
    [996, 1_000, '−4', 'down'],
    [1_005, 1_000, '+1%', 'up'],
    [199, 20, '+895%', 'up'],
    [200, 20, '10-fold', 'up'],
    [20, 20.9, 'unchanged', 'same'],
    [1, 1_000, '−99%', 'down'],
    [0, 20, 'down from 20', 'down'],
  ] as const) {
    assert.deepEqual(describeChange({ now, before }), { text, tone }, `${before} to ${now}`);
  }
  const hours = describeChange({ now: 0, before: 7_200 }, formatDuration);
  assert.deepEqual(hours, { text: 'down from 2 h', tone: 'down' });
  assert.equal(describeChange({ now: 10_810, before: 10_800 }, formatDuration).text, '+under 1 min');
});

test('counts are short from 100,000 on, durations without minutes from 100 hours on', () => {
  assert.deepEqual([100_000, 999_999, 1.9].map(formatCount), ['100K', '1M', '1']);
  const durations = [59, 360_000, 360_060, 7_200, 59.9].map(formatDuration);
  assert.deepEqual(durations, ['under 1 min', '100 h', '100 h', '2 h', 'under 1 min']);
  assert.deepEqual(
    [formatQuantity(0, 'view'), formatQuantity(1.5, 'view'), formatQuantity(2, 'reply', 'replies')],
    ['0 views', '1 view', '2 replies'],
  );
});

test('list headers have a host name and one address without separators', () => {
  const headers = (siteUrl: string, unsubscribeUrl = 'https://a.example/?t=1') =>
    buildDigestHeaders({ siteUrl, unsubscribeUrl });
  assert.deepEqual(headers('https://Blog.Example:8443/x', 'https://blog.example/leave?a=1,2,3 4<5>'), {
    'List-Unsubscribe': '<https://blog.example/leave?a=1%2C2%2C3%204%3C5%3E>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': 'Digest for authors <digest.blog.example>',
    'Auto-Submitted': 'auto-generated',
  });
  for (const [siteUrl, host] of [
    ['http://127.0.0.1:3000', '127.0.0.1'],
    ['http://[2001:db8::1]', '2001-db8--1'],
    ['http://[::]', 'localhost'],
    ['http://a_b.example', 'a-b.example'],
  ] as const) {
    assert.equal(headers(siteUrl)['List-Id'], `Digest for authors <digest.${host}>`);
    const id = buildDigestMessageId({ userId: '7', date: '2026-11-16', siteUrl });
    assert.equal(id, `<digest.7.2026-11-16@${host}>`);
  }
});
