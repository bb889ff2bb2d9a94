/** Parts of a document that an override leaves unchanged: bytes, comments, order, unknown keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyOverrides, type Overrides } from '../../../article/overrides/apply-overrides.ts';
import { read } from '../support/documents.ts';

test('overrides preserve comments, order and unknown keys of YAML', () => {
  const before =
    '---\n# about\ntitle: Old # mine\nlayout: post\n\ntags: # two\n  - x\n  - y\nbig: 12345678901234567890\nversion: 1.10\ncross_post: {blogsite_b: no}\n---\nBody\r\n\tas it is  \n';
  assert.equal(
    applyOverrides(before, { title: 'New', tags: ['z'], crossPost: { blogsite_a: false } }),
    '---\n# about\ntitle: New # mine\nlayout: post\n\ntags: # two\n  - z\nbig: 12345678901234567890\nversion: 1.10\ncross_post: {blogsite_b: no, blogsite_a: false}\n---\nBody\r\n\tas it is  \n',
  );
});

test('a line without an override keeps its bytes: quotes, spacing, comments and line end', () => {
  const others = [
    "layout:   'post'   #   as it was",
    '"quoted key" : "with \\u00e9 and \\t"',
    'list:   [ a,b ,   c ]',
    'map: { a:1,   b:  "2" }',
    'folded: >-',
    '   two',
    '   lines',
    'nested:',
    '-   one   # deep',
    '-   two',
    'date: 2020-01-02   03:04:05',
    "it's: 0o17",
    '# the last word',
  ];
  const written = (own: string[], end: string) => `---\n${[...own, ...others].join(end)}${end}---\nBody\r\n`;
  const cases: [own: string[], Overrides, changed: string[], added?: string[]][] = [
    [["title:   'Old'   # mine"], { title: 'New' }, ["title:   'New'   # mine"]],
    [['title: |', '  Old', '  text'], { title: 'New' }, ['title: New']],
    [['title: T', 'tags: # few', '  - a   # why', '  - b'], { tags: ['z'] }, ['title: T', 'tags: # few', '  - z']],
    [['title: T', 'tags: [a,  b] # why'], { tags: ['y', 'z'] }, ['title: T', 'tags: [y, z] # why']],
    [
      ['title: T', 'cross_post:', '   blogsite_a:  yes # why'],
      { crossPost: { blogsite_a: false, social_feed: true } },
      ['title: T', 'cross_post:', '   blogsite_a:  false # why', '   social_feed: true'],
    ],
    [
      ['title: T', 'cross_post: {blogsite_a:  yes}'],
      { crossPost: { social_feed: true } },
      ['title: T', 'cross_post: {blogsite_a:  yes, social_feed: true}'],
    ],
    [['title: T', 'subtitle:   # none yet'], { subtitle: 'Sub' }, ['title: T', 'subtitle: Sub   # none yet']],
    [
      ['title: T'],
      { draft: true, crossPost: { blogsite_a: false } },
      ['title: T'],
      ['status: DRAFT', 'cross_post:', '  blogsite_a: false'],
    ],
  ];
  for (const [own, chosen, changed, added = []] of cases) {
    const expected = `---\n${[...changed, ...others, ...added].map((line) => `${line}\n`).join('')}---\nBody\r\n`;
    assert.equal(applyOverrides(written(own, '\n'), chosen), expected);
  }
  const mixed = '---\r\n# one\rtitle: T\r\nlayout: x\nlast: y\r---\nBody';
  assert.equal(applyOverrides(mixed, { title: 'N' }), mixed.replace('title: T', 'title: N'));
});

test('a frontmatter in which a block must give way is written anew, with its comments and order', () => {
  assert.equal(
    applyOverrides('---\n# one\ntags:\n- a\n- b\nx:  1 # why\n---\nB', { tags: [] }),
    '---\n# one\ntags: []\nx: 1 # why\n---\nB',
  );
});

test('overrides preserve comments, order and tables of TOML', () => {
  const before =
    '+++\n# about\ntitle = "Old" # mine\ntags = [\n  "x", # why\n]\n\n[extra]\ntitle = "other"\n\n[cross_post]\nblogsite_b = false\n+++\nBody';
  assert.equal(
    applyOverrides(before, { title: 'New', category: 'ops', crossPost: { blogsite_a: false } }),
    '+++\n# about\ntitle = "New" # mine\ntags = [\n  "x", # why\n]\ncategory = "ops"\n\n[extra]\ntitle = "other"\n\n[cross_post]\nblogsite_b = false\nblogsite_a = false\n+++\nBody',
  );
});

test('JSON with overrides has the same numbers and unknown keys', () => {
  const before =
    '{\n  "title": "Old",\n  "big": 12345678901234567890,\n  "version": 1.10,\n  "tags": ["a"]\n}\n\nBody\n';
  assert.equal(
    applyOverrides(before, { title: 'New "one"', category: 'ops', crossPost: { blogsite_a: false } }),
    '{\n  "title": "New \\"one\\"",\n  "big": 12345678901234567890,\n  "version": 1.10,\n  "tags": ["a"],\n  "category": "ops",\n  "cross_post": {"blogsite_a": false}\n}\n\nBody\n',
  );
});

test('a TOML value is replaced in place: its key, blanks and comment stay', () => {
  assert.equal(
    applyOverrides('+++\nTitle   =  "Old"   # mine\n+++\nB', { title: 'New' }),
    '+++\nTitle   =  "New"   # mine\n+++\nB',
  );
});

test('many edits of TOML at once are all applied, also those at one place', () => {
  const overrides: Overrides = { title: 'New', tags: ['z'], category: 'ops', crossPost: { blogsite_a: false } };
  assert.equal(
    applyOverrides('+++\nTitle = "Old"\ntags = ["a", "b"]\ncross_post = { blogsite_a = true }\n+++\nB', {
      ...overrides,
      crossPost: { blogsite_a: false, blogsite_b: false },
    }),
    '+++\nTitle = "New"\ntags = [ "z" ]\ncross_post = { blogsite_a = false, blogsite_b = false }\ncategory = "ops"\n+++\nB',
  );
  assert.equal(
    applyOverrides('+++\ntitle = "Old"\n+++\nB', overrides),
    '+++\ntitle = "New"\ntags = [ "z" ]\ncategory = "ops"\ncross_post.blogsite_a = false\n+++\nB',
  );
});

test('a value that needs quotes only at the start of a document is replaced with the same bytes', () => {
  for (const title of ['---', '---0', '... and so on', '%YAML']) {
    const added = applyOverrides('Body\n', { title });
    assert.equal(applyOverrides(added, { title }), added);
    assert.equal(read(added).draft.title, title);
  }
});

test('numbers and unusual blanks are read back as written, even if the entire frontmatter is printed', () => {
  const merged = '---\ntitle: T\nseries_id: 007\nbase: &b {cross_post: {social_feed: yes}}\n<<: *b\n---\nB';
  assert.equal(read(applyOverrides(merged, { crossPost: { social_feed: false } })).draft.seriesId, '007');
  const written = applyOverrides('---\ntitle: "T"\n---\nB', { title: ';', tags: ['\u00a0null'] });
  assert.equal(applyOverrides(written, { title: ';', tags: ['\u00a0null'] }), written);
});
