/** Which value counts after an override, in every language and spelling. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyOverrides, type Overrides } from '../../../article/overrides/apply-overrides.ts';
import { read } from '../support/documents.ts';

const ALL: Overrides = {
  title: 'New: "title"',
  subtitle: 'Sub # title',
  tags: ['a', 'no', '1.0'],
  category: 'backend',
  seriesId: '007',
  canonicalUrl: 'https://me.example/x',
  coverImage: '/c.png',
  baseUrl: 'https://me.example/',
  generateToc: true,
  draft: true,
  crossPost: { blogsite_a: false, social_feed: true },
};

test('every override is read back, in YAML and in TOML', () => {
  const documents = [
    'Body',
    '---\n---\nBody',
    '---\ntitle: T\nstatus: PUBLISHED\nsubtitle: [bad]\n---\nBody',
    '+++\ntitle = "T"\nstatus = "PUBLISHED"\ncross_post = { blogsite_c = true }\n+++\nBody',
    '---\n{title: T}\n---\nBody',
    '\ufeff---\r\ntitle: T\r\n---\r\nBody',
    '---\nTitle: T\n"STATUS ": PUBLISHED\nCross_Post: {Blogsite_A: true}\n---\nBody',
    '+++\n"Title " = "T"\nSTATUS = "PUBLISHED"\n[Cross_Post]\nblogsite_a = true\n+++\nBody',
    '+++\nTitle = "T"\nCross_Post = { blogsite_c = true }\n+++\nBody',
    '{\n  "Title": "T",\n  "status": "PUBLISHED"\n}\nBody',
    '{"cover_image": null}\r\nBody',
    ';;;\n{"title": "T", "cross_post": {"blogsite_a": true}}\n;;;\nBody',
    ';;;\n"title": "T",\n"tags": ["x"]\n;;;\nBody',
    '"title": "T"\n;;;\nBody',
    '---json\n{"title": "T"}\n---\nBody',
    '<!-- c -->\n----- # c\ntitle: T\n-----\nBody',
    'title: T\nstatus: PUBLISHED\n---\nBody',
    '---\ntitle: "T\nt"\ntags: [\na]\n---\nBody',
    '---\ntitle: T\ndescription: x\nkeywords: [x]\nheroImage: /x.png\ncanonical: https://x.example/\ntoc: no\n---\nBody',
  ];
  for (const content of documents) {
    const { draft } = read(applyOverrides(content, ALL));
    assert.deepEqual(
      [
        draft.title,
        draft.subtitle,
        draft.tags,
        draft.category,
        draft.seriesId,
        draft.canonicalUrl,
        draft.coverImage,
        draft.baseUrl,
        draft.generateToc,
        draft.status,
      ],
      [
        'New: "title"',
        'Sub # title',
        ['a', 'no', '1.0'],
        'backend',
        '007',
        'https://me.example/x',
        'https://me.example/c.png',
        'https://me.example/',
        true,
        'DRAFT',
      ],
      content,
    );
    assert.deepEqual([draft.crossPost.blogsite_a, draft.crossPost.social_feed], [false, true]);
    assert.equal(draft.body, 'Body');
  }
});

test('--draft takes precedence over an explicit status', () => {
  assert.equal(
    read(applyOverrides('---\ntitle: T\nstatus: SCHEDULED\nscheduled_at: 2027-01-01\n---\nB', { draft: true })).draft
      .status,
    'DRAFT',
  );
});

test('values that other keys use by alias or merge survive an override of their source', () => {
  const content = '---\nbase: &b {cross_post: {social_feed: true}}\n<<: *b\ntitle: &t Old\nsubtitle: *t\n---\nB';
  const { draft } = read(applyOverrides(content, { title: 'New', crossPost: { blogsite_a: false } }));
  assert.deepEqual(
    [draft.title, draft.subtitle, draft.crossPost.social_feed, draft.crossPost.blogsite_a],
    ['New', 'Old', true, false],
  );
});

test('a key in capital letters is changed, not added a second time', () => {
  assert.equal(
    applyOverrides('---\nTitle: Old # mine\nSTATUS: PUBLISHED\n---\nB', { title: 'New', draft: true }),
    '---\nTitle: New # mine\nSTATUS: DRAFT\n---\nB',
  );
});

test('destinations that are off under another spelling stay off', () => {
  const content = '---\ntitle: T\ncrossPost: {blogsite-b: no, cms_site: yes}\n---\nB';
  const { crossPost } = read(applyOverrides(content, { crossPost: { blogsite_a: false } })).draft;
  assert.deepEqual([crossPost.blogsite_a, crossPost.blogsite_b, crossPost.cms_site], [false, false, true]);
});

test('TOML flags are written in place and in the author’s spelling, never into text that resembles their table', () => {
  const off = { crossPost: { blogsite_a: false } };
  for (const [before, after] of [
    ['notes = """\n[cross_post]\nblogsite_a = true\n"""', 'cross_post.blogsite_a = false'],
    ['x = [\n[1]]\n[params]\nnotes = """\n[cross_post]\n"""', 'x = [\n[1]]\ncross_post.blogsite_a = false\n[params]'],
    ['Cross_Post = { Blogsite_A = true } # why', 'Cross_Post = { Blogsite_A = false } # why'],
    ['cross_post = {}   # why', 'cross_post = { blogsite_a = false }   # why'],
    ['"Cross_Post".blogsite_b = true # why', '"Cross_Post".blogsite_b = true # why\n"Cross_Post".blogsite_a = false'],
    ['[Cross_Post]\nBlogsite_A = true # why', '[Cross_Post]\nBlogsite_A = false # why'],
    ['[Cross_Post] # why\n\n[x]', '[Cross_Post] # why\nblogsite_a = false\n\n[x]'],
  ] as const) {
    const written = applyOverrides(`+++\ntitle = "T"\n${before}\n+++\nB`, off);
    assert.ok(written.includes(after), written);
    assert.equal(read(written).draft.crossPost.blogsite_a, false, written);
  }
});

test('a control character, which no language accepts, does not prevent a flag from being written', () => {
  for (const content of ['+++\ntitle = "a\u0007b"\n+++\nB\u0007', '{"title": "a\u0007b"}\nB\u0007']) {
    const written = applyOverrides(content, { crossPost: { blogsite_a: false } });
    assert.equal(read(written).draft.crossPost.blogsite_a, false, written);
    assert.ok(written.endsWith('B\u0007'), 'the body keeps its bytes');
  }
});

test('keys merged by `<<` count as they are read: the specification’s spelling precedes any other', () => {
  const { draft } = read(
    applyOverrides(
      '---\nbase: &b {title: Old, cross_post: {social_feed: yes}}\n<<: *b\nTitle: Own\nCross_Post: {cms_site: yes}\n---\nB',
      {
        title: 'New',
        crossPost: { blogsite_a: false },
      },
    ),
  );
  assert.equal(draft.title, 'New');
  assert.deepEqual(
    [draft.crossPost.blogsite_a, draft.crossPost.social_feed, draft.crossPost.cms_site],
    [false, true, false],
  );
  const emptied = '---\nbase: &b {cross_post: {social_feed: yes}}\n<<: *b\ncross_post:\ntitle: T\n---\nB';
  assert.equal(read(applyOverrides(emptied, { crossPost: { cms_site: true } })).draft.crossPost.social_feed, false);
});

test('a document that cannot be read is returned unchanged', () => {
  for (const content of ['---\ntitle: [\n---\nB', '---js\n{}\n---\nB', '+++\na = \n+++\nB', '---\ntitle: T\n'])
    assert.equal(applyOverrides(content, ALL), content);
});
