import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../article/text/decode-text.ts';
import { listCodes, read, refuse, withFrontmatter } from '../support/documents.ts';

test('every frontmatter field of the specification is read (2.3)', () => {
  const { draft, warnings } = read(
    withFrontmatter(
      `title: The title
subtitle: Below it
excerpt: In short
tags: [one, two]
canonical_url: https://me.example/posts/x
base_url: https://me.example/
category: backend
cover_image: /cover.png
generate_toc: true
comments_enabled: false
cross_post: {blogsite_a: false, blogsite_c: true}
ai: {search: yes, train: no}
id: abc-1
slug: my-slug
series_id: 7
status: SCHEDULED
scheduled_at: 2026-12-01T10:00:00+01:00`,
    ),
  );
  assert.deepEqual(warnings, []);
  assert.deepEqual(draft, {
    title: 'The title',
    isTitleFromFileName: false,
    subtitle: 'Below it',
    excerpt: 'In short',
    tags: ['one', 'two'],
    canonicalUrl: 'https://me.example/posts/x',
    baseUrl: 'https://me.example/',
    category: 'backend',
    coverImage: 'https://me.example/cover.png',
    generateToc: true,
    commentsEnabled: false,
    crossPost: { blogsite_a: false, blogsite_b: true, blogsite_c: true, cms_site: false, social_feed: false },
    crossPostNamed: ['blogsite_c'],
    contentSignal: 'search=yes, ai-train=no',
    externalId: 'abc-1',
    slug: 'my-slug',
    seriesId: '7',
    language: null,
    status: 'SCHEDULED',
    scheduledAt: new Date('2026-12-01T09:00:00Z'),
    scheduledZone: '+01:00',
    body: 'Text.\n',
  });
});

test('fields that are absent, null or empty have the defaults of the specification', () => {
  const defaults = {
    isTitleFromFileName: false,
    subtitle: null,
    excerpt: null,
    tags: [],
    canonicalUrl: null,
    baseUrl: null,
    category: null,
    coverImage: null,
    generateToc: false,
    commentsEnabled: true,
    crossPost: { blogsite_a: true, blogsite_b: true, blogsite_c: false, cms_site: false, social_feed: false },
    crossPostNamed: [],
    contentSignal: null,
    externalId: null,
    slug: null,
    seriesId: null,
    language: null,
    status: 'PUBLISHED',
    scheduledAt: null,
    scheduledZone: null,
  };
  const keys =
    'subtitle excerpt tags canonical_url base_url category cover_image generate_toc comments_enabled cross_post id slug series_id published draft status scheduled_at';
  for (const value of ['', ' null', ' ~']) {
    const lines = keys.split(' ').map((key) => `${key}:${value}`);
    const { draft } = read(withFrontmatter(`title: T\n${lines.join('\n')}`));
    const { title: _title, body: _body, ...fields } = draft;
    assert.deepEqual(fields, defaults);
  }
});

test('unknown keys are ignored without an error, whatever their value (A5)', () => {
  const { draft, warnings } = read(
    withFrontmatter(
      'title: T\nlayout: post\nauthors: [a, {b: c}]\ndate: 2020-99-99\n"__proto__": {admin: true}\nconstructor: 1',
    ),
  );
  assert.equal(draft.title, 'T');
  assert.deepEqual(warnings, []);
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test('YAML and TOML, BOM, CRLF, blanks on the fence, a leading blank line and "..." as closer are all read', () => {
  const documents = [
    '---\ntitle: T\ndraft: true\n---\nBody\n',
    '+++\ntitle = "T"\ndraft = true\n+++\nBody\n',
    '\ufeff---\ntitle: T\ndraft: true\n---\nBody\n',
    '---\r\ntitle: T\r\ndraft: true\r\n---\r\nBody\r\n',
    '---\rtitle: T\rdraft: true\r---\rBody\r',
    '---  \t\ntitle: T\ndraft: true\n--- \nBody\n',
    '\n  \n---\ntitle: T\ndraft: true\n---\nBody\n',
    '---\ntitle: T\ndraft: true\n...\nBody\n',
    '---yaml\ntitle: T\ndraft: true\n---\nBody\n',
    '---\n\n# comment\ntitle: T\n\ndraft: true\n\n---\n\n\nBody\n',
    '---\n{title: T, draft: true}\n---\nBody\n',
  ];
  for (const content of documents) {
    const { draft } = read(content);
    assert.deepEqual([draft.title, draft.status, draft.body], ['T', 'DRAFT', 'Body\n'], JSON.stringify(content));
  }
});

test('empty frontmatter, absent frontmatter and a thematic break on the first line are not errors', () => {
  for (const content of [
    '---\n---\n# T\n',
    '---\n\n---\n# T\n',
    '---\n# only a comment\n---\n# T\n',
    '# T\n',
    '+++\n+++\n# T\n',
  ]) {
    assert.equal(read(content).draft.title, 'T', JSON.stringify(content));
  }
  const broken = read('---\n\nA thought: with a colon: twice.\n\n---\n\n# T\n');
  assert.match(broken.draft.body, /^---\n\nA thought/);
  assert.equal(read('----\n\n# T\n').draft.body, '----\n\n# T\n');
});

test('broken or unclosed frontmatter is rejected and never published as text', () => {
  for (const content of [
    '---\ntitle: T\ndraft: true\n\nBody\n',
    '---\n\ntitle: [\ndraft: true\n---\nBody\n',
    '---\njust text\n---\nBody\n',
    '---\n- a\n- b\n---\nBody\n',
  ]) {
    const [problem] = refuse(content);
    assert.equal(problem?.path, 'frontmatter', content);
    assert.ok((problem?.line ?? 0) >= 1);
  }
});

test('all problems are reported at once, each with path, line, column and the expected value', () => {
  const problems = refuse(
    withFrontmatter(
      'title: [a]\ntags: {a: b}\ndraft: 12:30:45\ncanonical_url: javascript:alert(1)\nbase_url: me.example\ncategory: "!!"\ncover_image: data:text/html,x\ncross_post:\n  blogsite_a: maybe\nslug: ../../.bashrc\nstatus: LIVE\nscheduled_at: tomorrow\ngenerate_toc: 3',
    ),
    { baseUrl: 'ftp://x', canonicalUrl: 'nowhere' },
  );
  const places = Object.fromEntries(problems.map(({ path, line, column }) => [path, [line, column]]));
  assert.deepEqual(places, {
    title: [2, 8],
    tags: [3, 7],
    draft: [4, 8],
    canonical_url: [5, 16],
    base_url: [6, 11],
    category: [7, 11],
    cover_image: [8, 14],
    'cross_post.blogsite_a': [10, 15],
    slug: [11, 7],
    status: [12, 9],
    scheduled_at: [13, 15],
    generate_toc: [14, 15],
    baseUrl: [undefined, undefined],
    canonicalUrl: [undefined, undefined],
  });
  assert.match(
    problems.find(({ path }) => path === 'status')?.message ?? '',
    /DRAFT, PUBLISHED or SCHEDULED; found "LIVE"/,
  );
});

test('problems in TOML have a line', () => {
  const problems = refuse('+++\ntitle = "T"\ntags = 5\ndraft = "maybe"\n[cross_post]\nblogsite_a = "x"\n+++\nB');
  const places = problems.map(({ path, line }) => [path, line]);
  assert.deepEqual(places, [
    ['draft', 4],
    ['cross_post.blogsite_a', 6],
  ]);
  const [syntax] = refuse('+++\ntitle = "T\n+++\nB');
  assert.deepEqual([syntax?.path, syntax?.line], ['frontmatter', 2]);
});

test('text in TOML that resembles a key or a table is not used as its place', () => {
  const lines = ['+++', 'title = """', 'draft = "no key"', '[cross_post]', '"""', '"dra\\u0066t" = "maybe"'];
  const more = ['cross_post = { blogsite_b = true,', ' "blogsite_a" = "x" }', '+++', 'B'];
  const places = refuse([...lines, ...more].join('\n')).map(({ path, line, column }) => [path, line, column]);
  assert.deepEqual(places, [
    ['draft', 6, 1],
    ['cross_post.blogsite_a', 8, 2],
  ]);
});

test('an impossible day in TOML is rejected, not moved into the next month', () => {
  const [problem] = refuse('+++\ntitle = "T"\nscheduled_at = 2027-02-30T10:00:00Z\n+++\nB');
  assert.deepEqual([problem?.path, problem?.line, problem?.column], ['frontmatter', 3, 25]);
  assert.match(problem?.message ?? '', /invalid date/);
});

test('tags may be a list, a comma-separated text, numbers, or the labels of another tool; they are normalised', () => {
  const cases: [string, string[]][] = [
    ['tags: go, Rust ,, go', ['go', 'rust']],
    ['tags: [2024, 1.0, true, null, "#WebDev", "  web   dev "]', ['2024', '1.0', 'true', 'webdev', 'web dev']],
    ['tags:\n  - JavaScript\n  - javascript', ['javascript']],
    ['tags: single', ['single']],
    ['tags: 7', ['7']],
    ['tags: [{label: Hello, permalink: /hello}]', ['hello']],
    ['tags: no', ['no']],
  ];
  for (const [line, expected] of cases)
    assert.deepEqual(read(withFrontmatter(`title: T\n${line}`)).draft.tags, expected, line);
  const [problem] = refuse(withFrontmatter('title: T\ntags: [a, [b], c]'));
  assert.deepEqual([problem?.path, problem?.line], ['tags[1]', 3]);
});

test('yes, no, on and off are booleans; any other value is rejected and never published (A6)', () => {
  for (const word of ['yes', 'Yes', 'on', '"true"', 'TRUE', 'y']) {
    assert.equal(read(withFrontmatter(`title: T\ndraft: ${word}`)).draft.status, 'DRAFT', word);
  }
  for (const word of ['no', 'off', "'false'", 'False', 'NO']) {
    assert.equal(read(withFrontmatter(`title: T\npublished: ${word}`)).draft.status, 'DRAFT', word);
  }
  for (const word of ['12:30:45', '1', '0', 'maybe', '[true]', '2024-01-01', '{a: b}']) {
    assert.equal(refuse(withFrontmatter(`title: T\ndraft: ${word}`))[0]?.path, 'draft', word);
    assert.equal(refuse(withFrontmatter(`title: T\npublished: ${word}`))[0]?.path, 'published', word);
  }
});

test('an unknown destination delivers nothing and gives a warning', () => {
  const { draft, warnings } = read(withFrontmatter('title: T\ncross_post:\n  mastodon: true\n  social_feed: on'));
  assert.deepEqual(listCodes(warnings), ['destination_not_accepted']);
  assert.deepEqual([warnings[0]?.path, warnings[0]?.line], ['cross_post.mastodon', 4]);
  assert.equal(draft.crossPost.social_feed, true);
});

test('courant_id, zyvop_id and id are one field, in this order of precedence', () => {
  assert.equal(read(withFrontmatter('title: T\nid: a\nzyvop_id: b')).draft.externalId, 'b');
  assert.equal(read(withFrontmatter('title: T\nzyvop_id: b\ncourant_id: c')).draft.externalId, 'c');
  assert.equal(read(withFrontmatter('title: T\nid: 12')).draft.externalId, '12');
});

test('frontmatter takes precedence over the fallbacks of the request', () => {
  const input = { canonicalUrl: 'https://request.example/a', baseUrl: 'https://base.example/', coverImage: '/c.png' };
  const fallback = read(withFrontmatter('title: T'), input).draft;
  assert.equal(fallback.canonicalUrl, 'https://request.example/a');
  assert.equal(fallback.coverImage, 'https://base.example/c.png');
  const own = read(
    withFrontmatter('title: T\ncanonical_url: https://own.example/b\ncover_image: https://own.example/d.png'),
    input,
  ).draft;
  assert.deepEqual([own.canonicalUrl, own.coverImage], ['https://own.example/b', 'https://own.example/d.png']);
});

test('files are UTF-8 or UTF-16, with or without byte order mark; other bytes are an error with a line', () => {
  const text = '---\ntitle: Äpfel\n---\nBody';
  const utf16le = Buffer.from(text, 'utf16le');
  const utf16be = Buffer.from(utf16le).swap16();
  const files = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    utf16le,
    utf16be,
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16le]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be]),
  ];
  for (const file of files) assert.equal(read(decodeText(file)).draft.title, 'Äpfel');
  assert.throws(() => decodeText(Buffer.from('a\nb\n\xe4\n', 'latin1')), { code: 'invalid_text', offset: 4, line: 3 });
});

test('without a title in the frontmatter, the title is the file name, else the first heading', () => {
  assert.equal(read('Text', { fileName: 'posts/My first post.md' }).draft.title, 'My first post');
  assert.equal(read('# Heading\n\nText', { fileName: 'a.b.mdx' }).draft.title, 'a.b');
  const { draft } = read('# A *heading* with `code`\n\nText');
  assert.deepEqual([draft.title, draft.body], ['A heading with code', 'Text']);
  assert.equal(read('Text first.\n\n# Heading\n').draft.body, 'Text first.\n\n# Heading\n');
  assert.equal(read(withFrontmatter('title: 2024')).draft.title, '2024');
  assert.equal(read(withFrontmatter('title: 1.10')).draft.title, '1.10');
  assert.equal(refuse('Text')[0]?.path, 'title');
  assert.equal(refuse('## Not of level 1\n')[0]?.path, 'title');
});
