/** Tests what an author reads about each field: whole messages with their places, and the limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseTags } from '../../../article/frontmatter/field-reader.ts';
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import { getDirection, readLanguageTag } from '../../../article/language/language-tag.ts';
import { readDocument } from '../../../article/read-document.ts';
import { NOW, read, withFrontmatter } from '../support/documents.ts';

/** Problems, or warnings with their code, as `line:column path message`. */
function explain(frontmatter: string): string[] {
  const result = readDocument({ content: withFrontmatter(`title: T\n${frontmatter}`), now: NOW });
  const listed = result.ok ? result.warnings : result.problems;
  return listed.map((one) => {
    const place = `${one.line}:${one.column} ${one.path}`;
    return result.ok ? `${place} ${one.code} ${one.message}` : `${place} ${one.message}`;
  });
}

const FLAG = 'must be true or false (yes/no and on/off are accepted too)';

test('a value of the wrong type is rejected with the field, the type and what was found', () => {
  for (const [frontmatter, ...messages] of [
    ['subtitle: [a]', '3:11 subtitle subtitle must be text; found a list.'],
    ['generate_toc: maybe', `3:15 generate_toc generate_toc ${FLAG}; found "maybe".`],
    ['comments_enabled: {a: 1}', `3:19 comments_enabled comments_enabled ${FLAG}; found a mapping.`],
    [
      'canonical_url: /x',
      '3:16 canonical_url canonical_url must be an absolute http:// or https:// address; found "/x".',
    ],
    ['cross_post: yes', '3:13 cross_post cross_post must be a mapping of destinations to true or false; found "yes".'],
    [
      'cross_post: {blogsite_a: maybe, blogsite_b: }',
      `3:26 cross_post.blogsite_a cross_post.blogsite_a ${FLAG}; found "maybe".`,
    ],
    ['tags: {a: b}', '3:7 tags tags must be a list or a comma-separated text; found a mapping.'],
    [
      'tags: [[a], {b: c}, {label: d}, {label: [e]}]',
      '3:8 tags[0] A tag must be text; found a list.',
      '3:13 tags[1] A tag must be text; found a mapping.',
      '3:33 tags[3] A tag must be text; found a mapping.',
    ],
    ['category: "!!"', '3:11 category category must contain letters or digits; found "!!".'],
    ['status: nope', '3:9 status status must be DRAFT, PUBLISHED or SCHEDULED; found "nope".'],
    ['status: [a]', '3:9 status status must be DRAFT, PUBLISHED or SCHEDULED; found a list.'],
    ['status: SCHEDULED', '3:9 scheduled_at status is SCHEDULED, so scheduled_at is required.'],
    [
      'scheduled_at: [a]',
      '3:15 scheduled_at scheduled_at must be a time in ISO 8601, such as 2026-12-01T09:00:00Z, 2026-12-01T10:00:00+01:00 or 2026-12-01T10:00[Europe/Berlin]; found a list.',
    ],
  ] as const)
    assert.deepEqual(explain(frontmatter), messages, frontmatter);
});

test('texts are accepted at their limit, and rejected above it with both lengths', () => {
  for (const [field, limit] of [
    ...([
      ['subtitle', 1_000],
      ['excerpt', 5_000],
      ['category', 100],
      ['series_id', 200],
    ] as const),
    ...([
      ['slug', 300],
      ['cover_image', 2_048],
      ['id', 200],
      ['courant_id', 200],
      ['zyvop_id', 200],
    ] as const),
  ]) {
    const rejection = `${field} must be at most ${limit} characters long; it has ${limit + 1}.`;
    assert.ok(explain(`${field}: ${'x'.repeat(limit + 1)}`)[0]?.endsWith(rejection), field);
    assert.ok(!explain(`${field}: ${'x'.repeat(limit)}`).some((message) => message.includes('must be')), field);
  }
  const tags = Array.from({ length: 100 }, (_, index) => `t${index}`).join(',');
  assert.deepEqual([explain(`tags: ${tags}`), explain(`tags: [${'x'.repeat(100)}]`)], [[], []]);
  assert.deepEqual(explain(`tags: ${tags},more`), ['3:7 tags At most 100 tags are allowed; found 101.']);
  assert.deepEqual(explain(`tags: [${'x'.repeat(101)}]`), [
    `3:7 tags A tag must be at most 100 characters long; "${'x'.repeat(40)}…" is longer.`,
  ]);
});

test('of two spellings of a key one is used, and the other gives a warning', () => {
  assert.deepEqual(explain('Tags: [a]\ntags: [b]\nTAGS: [c]\nTaGs:'), [
    '3:7 tags key_given_twice "Tags" and "tags" are the same key; "tags" is used. Remove the other one.',
    '5:7 tags key_given_twice "TAGS" and "tags" are the same key; "tags" is used. Remove the other one.',
  ]);
  assert.deepEqual(explain('TAGS:\nTags: [a]'), []);
  assert.deepEqual(read(withFrontmatter('title: T\nTAGS:\nTags: [a]')).draft.tags, ['a']);
  assert.deepEqual(explain('cross_post: {Blogsite-A: false, blogsite_a: true, nowhere: true, BLOGSITE_A: false}'), [
    '3:45 cross_post.blogsite_a key_given_twice "blogsite_a" and "Blogsite-A" are the same key; "blogsite_a" is used.',
    '3:60 cross_post.nowhere destination_not_accepted "nowhere" is not a destination, so nothing is sent there. The destinations are blogsite_a, blogsite_b, blogsite_c, cms_site, social_feed.',
    '3:78 cross_post.BLOGSITE_A key_given_twice "BLOGSITE_A" and "blogsite_a" are the same key; "blogsite_a" is used.',
  ]);
});

test('destinations have defaults, which the author’s choice replaces', () => {
  const choose = (frontmatter: string) => {
    const { crossPost, crossPostNamed } = read(withFrontmatter(`title: T\n${frontmatter}`)).draft;
    return [crossPost, crossPostNamed];
  };
  const defaults = { blogsite_a: true, blogsite_b: true, blogsite_c: false, cms_site: false, social_feed: false };
  assert.deepEqual(choose(''), [defaults, []]);
  assert.deepEqual(choose('cross_post: {blogsite_a: no, Social-Feed: on, cms_site: off}'), [
    { ...defaults, blogsite_a: false, social_feed: true },
    ['social_feed'],
  ]);
});

test('an unreadable content signal gives a warning with the accepted forms', () => {
  const expected =
    'is ignored: expected search, ai-input and ai-train with yes or no, like "search=yes, ai-input=yes, ai-train=no", or a mapping (ai: {search: yes, input: yes, train: no}).';
  assert.deepEqual(explain('ai: x'), [`3:5 ai content_signal_ignored ai ${expected}`]);
  assert.deepEqual(explain('ai: [a]'), [`3:5 ai content_signal_ignored ai ${expected}`]);
  const mapping = 'ai: {search: yes, aiInput: no, input: yes, other: 1, train: maybe}';
  assert.deepEqual(explain(mapping), [
    `3:51 ai.other content_signal_ignored ai.other ${expected}`,
    `3:61 ai.train content_signal_ignored ai.train ${expected}`,
  ]);
  assert.equal(read(withFrontmatter(`title: T\n${mapping}`)).draft.contentSignal, 'search=yes, ai-input=no');
});

test('settings that contradict each other give a warning with the one that applies', () => {
  for (const [frontmatter, place, contradiction, resolution] of [
    ['status: DRAFT\ndraft: false', '3:9 status', 'status: DRAFT and draft: false', 'status: DRAFT is used'],
    ['status: PUBLISHED\ndraft: true', '3:9 status', 'status: PUBLISHED and draft: true', 'status: PUBLISHED is used'],
    [
      ...(['status: PUBLISHED\npublished: false', '3:9 status', 'status: PUBLISHED and published: false'] as const),
      'status: PUBLISHED is used',
    ],
    ['status: DRAFT\npublished: true', '3:9 status', 'status: DRAFT and published: true', 'status: DRAFT is used'],
    ['draft: true\npublished: true', '3:8 draft', 'draft: true and published: true', 'the article stays a draft'],
    ['draft: false\npublished: false', '3:8 draft', 'draft: false and published: false', 'the article stays a draft'],
  ] as const)
    assert.deepEqual(
      explain(frontmatter),
      [`${place} state_contradiction ${contradiction} contradict each other; ${resolution}.`],
      frontmatter,
    );
  for (const frontmatter of [
    'status: DRAFT\ndraft: true',
    'status: PUBLISHED\npublished: true',
    'draft: true\npublished: false',
  ])
    assert.deepEqual(explain(frontmatter), [], frontmatter);
});

test('a time that does not apply gives a warning with the reason', () => {
  const past =
    'scheduled_in_past scheduled_at (2026-01-01T00:00:00.000Z) is in the past; the article is published now.';
  const future = 'scheduled_at: 2027-01-01T00:00:00Z';
  for (const [frontmatter, ...messages] of [
    ['scheduled_at: 2026-01-01T00:00:00Z', `3:15 scheduled_at ${past}`],
    ['status: SCHEDULED\nscheduled_at: 2026-01-01T00:00:00Z', `4:15 scheduled_at ${past}`],
    [
      `status: PUBLISHED\n${future}`,
      '4:15 scheduled_at scheduled_at_ignored status: PUBLISHED publishes now, so scheduled_at is ignored.',
    ],
    ...['draft: true', 'published: false', 'status: DRAFT'].map((state): [string, string] => [
      `${state}\n${future}`,
      `4:15 scheduled_at scheduled_at_ignored ${state} leaves the article a draft, so scheduled_at is ignored.`,
    ]),
    ['status: DRAFT\nscheduled_at: 2026-01-01T00:00:00Z'],
    [
      'scheduled_at: 2027-01-01',
      '3:15 scheduled_at time_without_offset scheduled_at has no offset and is read as UTC: 2027-01-01T00:00:00.000Z.',
    ],
    [
      'scheduled_at: 2027-10-31T02:30[Europe/Berlin]',
      '3:15 scheduled_at time_ambiguous That time occurs twice in Europe/Berlin on that day; the first is used: 2027-10-31T00:30:00.000Z.',
    ],
  ] as [string, ...string[]][])
    assert.deepEqual(explain(frontmatter), messages, frontmatter);
  const now = read(withFrontmatter(`title: T\nscheduled_at: ${NOW.toISOString()}`));
  assert.equal(now.draft.status, 'PUBLISHED', 'a time is future only after this moment');
});

test('a time is read with its offset, or described as impossible', () => {
  const utc = { zone: null, isTwice: false, hasOffset: true };
  for (const [text, at, rest] of [
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z', utc],
    ['2026-12-01 09:00 utc'.toUpperCase(), '2026-12-01T09:00:00.000Z', utc],
    ['2026-12-01t09:00:01,5z', '2026-12-01T09:00:01.500Z', utc],
    ['2026-12-01T09:00:59.1239GMT', '2026-12-01T09:00:59.123Z', utc],
    ['2026-12-01T23:59:59+00:00', '2026-12-01T23:59:59.000Z', utc],
    ['2026-12-01T09:00+02:30', '2026-12-01T06:30:00.000Z', { ...utc, zone: '+02:30' }],
    ['2026-12-01T09:00-0230', '2026-12-01T11:30:00.000Z', { ...utc, zone: '-0230' }],
    ['2026-12-01T09:00+14', '2026-11-30T19:00:00.000Z', { ...utc, zone: '+14' }],
    ['2026-12-01T09:00', '2026-12-01T09:00:00.000Z', { ...utc, hasOffset: false }],
    ['1970-01-01', '1970-01-01T00:00:00.000Z', { ...utc, hasOffset: false }],
    ['2199-12-31', '2199-12-31T00:00:00.000Z', { ...utc, hasOffset: false }],
    ['2028-02-29', '2028-02-29T00:00:00.000Z', { ...utc, hasOffset: false }],
    ['2026-12-01[Europe/Berlin]', '2026-11-30T23:00:00.000Z', { ...utc, zone: 'Europe/Berlin' }],
    ['2026-12-01T10:00:30.25 [Europe/Berlin]', '2026-12-01T09:00:30.250Z', { ...utc, zone: 'Europe/Berlin' }],
  ] as const)
    assert.deepEqual(readPublishTime(text), { at: new Date(at), ...rest }, text);
  for (const [text, problem] of [
    ['1969-12-31', 'must be between the years 1970 and 2199'],
    ['2200-01-01', 'must be between the years 1970 and 2199'],
    ['2026-02-29', 'has a day that does not exist (2026-02-29)'],
    ['2026-00-10', 'has a day that does not exist (2026-00-10)'],
    ['2026-13-10', 'has a day that does not exist (2026-13-10)'],
    ['2026-12-00', 'has a day that does not exist (2026-12-00)'],
    ['2026-12-01T24:00Z', 'has a time of day that does not exist (24:00)'],
    ['2026-12-01T09:60Z', 'has a time of day that does not exist (09:60)'],
    ['2026-12-01T09:00:60Z', 'has a time of day that does not exist (09:00:60)'],
    ['2026-12-01T09:00+15:00', 'has an offset that does not exist (+15:00)'],
    ['2026-12-01T09:00+01:60', 'has an offset that does not exist (+01:60)'],
  ] as const)
    assert.deepEqual(readPublishTime(text), { problem }, text);
  for (const text of [
    'x2026-12-01',
    '2026-12-01x',
    '2026-12-01T9:00Z',
    '2026-12-01T09:00:00.1234567891Z',
    '2026-12-01[]',
  ])
    assert.match(JSON.stringify(readPublishTime(text)), /must be a time in ISO 8601/, text);
});

test('tags are compared without case, leading signs and repetitions', () => {
  assert.deepEqual(normaliseTags(['## #A b', 'a  B', 'c#', '#', ' ', 'e\u0301', '\u00e9']), ['a b', 'c#', '\u00e9']);
});

test('a language tag is read as its canonical form, and has the direction of its script', () => {
  for (const [text, tag] of [
    [' de_AT.UTF-8 ', 'de-AT'],
    ['EN', 'en'],
    ['zh_hant_tw', 'zh-Hant-TW'],
    ['yue', 'yue'],
    ...[
      'mul',
      'und',
      'zxx',
      'mis',
      'xx',
      'd',
      'deut',
      'de-',
      'de-123456789',
      'german',
      '',
      `de-${'x-'.repeat(17)}x`,
    ].map((unknown) => [unknown, null] as const),
  ] as const)
    assert.equal(readLanguageTag(text), tag, text);
  for (const tag of [
    'ff-Adlm',
    'ar',
    'ur-Aran',
    'he',
    'myz-Mand',
    'nqo',
    'rhg-Rohg',
    'syr',
    'dv',
    'ku-Yezi',
    'fa',
    'yi',
  ])
    assert.equal(getDirection(tag), 'rtl', tag);
  for (const tag of ['en', 'ja', 'az', 'ff', 'xx']) assert.equal(getDirection(tag), 'ltr', tag);
});
