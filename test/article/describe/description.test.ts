import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIENCES, TONES } from '../../../article/describe/genre.ts';
import { buildAgentDocument } from '../../../article/discovery/agent-document.ts';
import { describeArticle } from '../../../article/discovery/description.ts';
import { buildJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { derive } from '../support/documents.ts';
import { buildStoredArticle, catalogueSite, derivedArticle } from '../support/stored-article.ts';

const HOW_TO = `Learn to ship a small web service with Node.js. It takes an hour.

## Step 1: Install

Install Node.js with \`nvm\`.

\`\`\`sh
nvm install 24
\`\`\`

## Step 2: Write the service

Write a web service in TypeScript. The service answers with JSON. We met Grace Hopper in Amsterdam.

## FAQ

### Does the service need a database?

No. The service keeps everything in memory.

### Is it fast?

Yes.
`;

test('the agent document has exactly the fields of the specification (2.5)', () => {
  assert.deepEqual(buildAgentDocument(buildStoredArticle()), {
    slug: 'an-article',
    title: 'An article',
    canonicalUrl: 'https://elsewhere.example/an-article',
    author: { name: 'Ada', username: 'ada', isTrustedAuthor: true },
    publishedAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    topicSignals: ['typescript'],
    headings: [{ level: 2, text: 'Part one' }],
    outboundReferences: ['https://elsewhere.example/a'],
    contentHash: 'sha256:00',
    plainTextContent: 'Text.',
  });
});

test('the description has every field of the specification with its type (2.6)', () => {
  const description = describeArticle(buildStoredArticle());
  const types = Object.entries(description).map(([key, value]) => [
    key,
    Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value,
  ]);
  assert.deepEqual(Object.fromEntries(types), {
    ...Object.fromEntries(
      'schemaVersion type slug url title subtitle tldr contentText contentHash authorName authorUrl audience tone primaryTopic publishedAt updatedAt canonicalUrl'
        .split(' ')
        .map((key) => [key, 'string']),
    ),
    ...Object.fromEntries(
      'types keywords entities keyTakeaways headings outboundLinks authorSameAs tags'
        .split(' ')
        .map((key) => [key, 'array']),
    ),
    readingTimeMinutes: 'number',
    wordCount: 'number',
    category: 'null',
    faqs: 'null',
  });
  assert.equal(description.schemaVersion, '1.0');
  assert.equal(description.type, description.types[0]);
});

test('the same document gives the same description, byte for byte', async () => {
  assert.equal(JSON.stringify(await derive(HOW_TO)), JSON.stringify(await derive(HOW_TO)));
});

test('types are schema.org names derived from the structure', async () => {
  assert.deepEqual((await derive('Just a thought about gardens.\n')).types, ['BlogPosting']);
  assert.deepEqual((await derive('Text.\n\n```ts\nconst a = 1;\n```\n')).types, ['TechArticle', 'BlogPosting']);
  assert.deepEqual((await derive(HOW_TO)).types, ['HowTo', 'TechArticle', 'BlogPosting', 'FAQPage']);
});

test('faqs is null without a FAQ; its questions are headings, bold lines or lines with a question mark', async () => {
  assert.equal((await derive('## Is it fast?\n\nYes.\n')).faqs, null);
  assert.deepEqual((await derive(HOW_TO)).faqs, [
    { question: 'Does the service need a database?', answer: 'No. The service keeps everything in memory.' },
    { question: 'Is it fast?', answer: 'Yes.' },
  ]);
  assert.deepEqual(
    (
      await derive(
        '## Frequently Asked Questions\n\n**Why**\n\nBecause.\n\nHow much?\n\nNothing.\n\n## After\n\nText?\n',
      )
    ).faqs,
    [
      { question: 'Why', answer: 'Because.' },
      { question: 'How much?', answer: 'Nothing.' },
    ],
  );
  assert.equal((await derive('## FAQ\n\nNothing asked.\n')).faqs, null);
});

test('the excerpt is the author’s, else the first sentences of the text, cut at a word if too long', async () => {
  assert.equal((await derive('Text.', 'title: T\nexcerpt: Mine')).excerpt, 'Mine');
  const { excerpt } = await derive(
    `# Heading\n\n![](https://a.example/x.png)\n\n${'Some *longer* words here '.repeat(20)}\n\nSecond.`,
  );
  assert.ok(excerpt.length <= 200 && excerpt.startsWith('Some longer words') && /\w…$/.test(excerpt), excerpt);
  assert.equal((await derive('```\ncode\n```\n')).excerpt, 'code');
  assert.equal((await derive('')).excerpt, '');
});

test('tldr and keyTakeaways come from the author’s own section if there is one, else from the text', async () => {
  const described = await derive(
    '## TL;DR\n\nShort and good.\n\n## Text\n\nLong.\n\n## Key takeaways\n\n- First point\n- Second point\n',
  );
  assert.equal(described.tldr, 'Short and good.');
  assert.deepEqual((await derive('Text.\n\n## Key takeaways\n\n- First point\n- Second point\n')).keyTakeaways, [
    'First point',
    'Second point',
  ]);
  assert.equal((await derive('TL;DR: use an index.\n\nMore text.\n')).tldr, 'use an index.');
  const extracted = await derive(
    'Databases need an index for speed. I like tea very much indeed. An index on a database column makes every query of the database fast. Bye now, everyone out there.\n',
    'title: A database index',
  );
  assert.ok(extracted.keyTakeaways.includes('An index on a database column makes every query of the database fast.'));
  assert.ok(extracted.keyTakeaways.length <= 3);
});

test('keywords are the tags and the repeated words of the text, without stop words', async () => {
  const { keywords, primaryTopic, topicSignals } = await derive(
    'The compiler reads the source. The compiler writes code, and compilers are fun. It is the the the.\n',
    'title: Inside the compiler\ntags: [rust]\ncategory: backend',
  );
  assert.deepEqual([keywords[0], keywords[1], primaryTopic], ['rust', 'compiler', 'rust']);
  assert.ok(!keywords.includes('the'));
  assert.deepEqual(topicSignals.slice(0, 3), ['rust', 'backend', 'compiler']);
});

test('entities are names in English texts, and tags and identifiers in every text', async () => {
  const { entities } = await derive(HOW_TO);
  for (const name of ['Node.js', 'Grace Hopper', 'Amsterdam', 'nvm'])
    assert.ok(entities.includes(name), `${name} in ${entities}`);
  const german = await derive(
    'Das ist ein Text über die Datenbank, und `VACUUM` ist der Befehl, den wir heute brauchen. Die Datenbank ist groß.\n',
    'title: T\ntags: [postgres]',
  );
  assert.deepEqual(german.entities, ['postgres', 'VACUUM']);
});

test('audience and tone come from fixed lists', async () => {
  const cases: [string, string, string, string][] = [
    ['Getting started with Rust', 'Text with `code` here.', 'beginners', 'explanatory'],
    ['Compiler internals', 'Text.\n\n```c\nx\n```\n', 'experienced developers', 'explanatory'],
    ['Hiring engineers', 'Text.', 'engineering leaders', 'explanatory'],
    ['Announcing Courant 2.0', 'Text.\n\n```c\nx\n```\n', 'developers', 'announcement'],
    ['A walk', 'The trees are green.', 'general readers', 'explanatory'],
    ['How to bake', 'Text.\n\n1. one\n2. two\n3. three\n', 'general readers', 'instructional'],
    [
      'On tabs',
      'I think tabs are right. I believe spaces are wrong. In my opinion that is all.',
      'general readers',
      'opinion',
    ],
  ];
  for (const [title, body, audience, tone] of cases) {
    const derived = await derive(body, `title: ${title}`);
    assert.deepEqual([derived.audience, derived.tone], [audience, tone], title);
    assert.ok(AUDIENCES.some((known) => known === derived.audience) && TONES.some((known) => known === derived.tone));
  }
});

test('words are also counted correctly in Chinese and Japanese', async () => {
  assert.equal((await derive('One two, three-four.\n')).wordCount, 4);
  const chinese = (await derive('我们今天学习异步编程。\n')).wordCount;
  assert.ok(chinese >= 4 && chinese <= 8, String(chinese));
  const japanese = (await derive('今日は良い天気です。\n')).wordCount;
  assert.ok(japanese >= 4 && japanese <= 8, String(japanese));
  const long = await derive('word '.repeat(401));
  assert.deepEqual([long.wordCount, long.readingTimeMinutes], [401, 3]);
  assert.equal((await derive('')).readingTimeMinutes, 1);
});

test('JSON-LD has the article and its questions, and cannot end its script element', () => {
  const faqs = [{ question: 'Why?', answer: 'Because.' }];
  const article = buildStoredArticle({
    title: '</script><!-- & \u2028',
    coverImage: 'https://a.example/c.png',
    derived: { ...derivedArticle, faqs },
  });
  const text = formatJsonLd(buildJsonLd(article, catalogueSite));
  assert.doesNotMatch(text, /[<>&\u2028]/);
  assert.deepEqual(JSON.parse(text), buildJsonLd(article, catalogueSite));
  const graph = buildJsonLd(article, catalogueSite)['@graph'] as Record<string, unknown>[];
  assert.deepEqual(
    graph.map((node) => node['@type']),
    [['BlogPosting', 'TechArticle'], 'BreadcrumbList', 'FAQPage'],
  );
  assert.equal(graph[0]?.mainEntityOfPage, 'https://elsewhere.example/an-article');
  assert.equal(graph[0]?.dateModified, '2026-11-21T10:00:00.000Z');
  assert.deepEqual(graph[0]?.image, ['https://a.example/c.png']);
  const facts = { image: 'https://a.example/card.png', commentCount: 2 };
  const [shown] = buildJsonLd({ ...article, coverImage: null }, catalogueSite, facts)['@graph'] as typeof graph;
  assert.deepEqual([shown?.image, shown?.commentCount], [[facts.image], 2]);
});
