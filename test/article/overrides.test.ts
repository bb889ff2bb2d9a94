import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyOverrides, type Overrides } from '../../article/overrides/apply-overrides.ts';
import { readDocument } from '../../article/read-document.ts';
import { DESTINATION_KEYS } from '../../article/types.ts';
import { runs } from '../support/property-runs.ts';
import { NOW, read } from './support/documents.ts';

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

test('overrides keep comments, order and unknown keys of YAML', () => {
  const before =
    '---\n# about\ntitle: Old # mine\nlayout: post\n\ntags: # two\n  - x\n  - y\nbig: 12345678901234567890\nversion: 1.10\ncross_post: {blogsite_b: no}\n---\nBody\r\n\tas it is  \n';
  assert.equal(
    applyOverrides(before, { title: 'New', tags: ['z'], crossPost: { blogsite_a: false } }),
    '---\n# about\ntitle: New # mine\nlayout: post\n\ntags: # two\n  - z\nbig: 12345678901234567890\nversion: 1.10\ncross_post: {blogsite_b: no, blogsite_a: false}\n---\nBody\r\n\tas it is  \n',
  );
});

test('a line that no override is about keeps its bytes: its quotes, spacing, comments and line end', () => {
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
    [['title: T', 'tags:', '- a', '- b # why'], { tags: [] }, ['title: T', 'tags: []']],
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

test('overrides keep comments, order and tables of TOML', () => {
  const before =
    '+++\n# about\ntitle = "Old" # mine\ntags = [\n  "x", # why\n]\n\n[extra]\ntitle = "other"\n\n[cross_post]\nblogsite_b = false\n+++\nBody';
  assert.equal(
    applyOverrides(before, { title: 'New', category: 'ops', crossPost: { blogsite_a: false } }),
    '+++\n# about\ntitle = "New" # mine\ntags = [\n  "x", # why\n]\ncategory = "ops"\n\n[extra]\ntitle = "other"\n\n[cross_post]\nblogsite_b = false\nblogsite_a = false\n+++\nBody',
  );
});

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

test('a value that would need quotes at the beginning of a document alone is replaced by the bytes it was added with', () => {
  for (const title of ['---', '---0', '... and so on', '%YAML']) {
    const added = applyOverrides('Body\n', { title });
    assert.equal(applyOverrides(added, { title }), added);
    assert.equal(read(added).draft.title, title);
  }
});

test('the file name is the title only if the frontmatter has none', () => {
  assert.equal(applyOverrides('---\ntitle: T\n---\nB', { fileTitle: 'name' }), '---\ntitle: T\n---\nB');
  for (const content of [
    '# Heading\n',
    '---\ntitle:\n---\n# Heading\n',
    "---\ntitle: ''\n---\n# Heading\n",
    '+++\n+++\n# Heading\n',
  ]) {
    assert.equal(read(applyOverrides(content, { fileTitle: 'name' })).draft.title, 'name', content);
  }
});

test('values that other keys refer to by alias or merge survive an override of their source', () => {
  const content = '---\nbase: &b {cross_post: {social_feed: true}}\n<<: *b\ntitle: &t Old\nsubtitle: *t\n---\nB';
  const { draft } = read(applyOverrides(content, { title: 'New', crossPost: { blogsite_a: false } }));
  assert.deepEqual(
    [draft.title, draft.subtitle, draft.crossPost.social_feed, draft.crossPost.blogsite_a],
    ['New', 'Old', true, false],
  );
});

test('overrides of JSON give JSON with the same numbers and unknown keys', () => {
  const before =
    '{\n  "title": "Old",\n  "big": 12345678901234567890,\n  "version": 1.10,\n  "tags": ["a"]\n}\n\nBody\n';
  assert.equal(
    applyOverrides(before, { title: 'New "one"', category: 'ops', crossPost: { blogsite_a: false } }),
    '{\n  "title": "New \\"one\\"",\n  "big": 12345678901234567890,\n  "version": 1.10,\n  "tags": ["a"],\n  "category": "ops",\n  "cross_post": { "blogsite_a": false }\n}\n\nBody\n',
  );
});

test('a key that its author wrote in capital letters is changed, not added a second time', () => {
  assert.equal(
    applyOverrides('---\nTitle: Old # mine\nSTATUS: PUBLISHED\n---\nB', { title: 'New', draft: true }),
    '---\nTitle: New # mine\nSTATUS: DRAFT\n---\nB',
  );
});

test('destinations that were turned off under another spelling stay off', () => {
  const content = '---\ntitle: T\ncrossPost: {blogsite-b: no, cms_site: yes}\n---\nB';
  const { crossPost } = read(applyOverrides(content, { crossPost: { blogsite_a: false } })).draft;
  assert.deepEqual([crossPost.blogsite_a, crossPost.blogsite_b, crossPost.cms_site], [false, false, true]);
});

test('flags of TOML are written where they are read: not into a text that looks like their table, and in its spelling', () => {
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

test('a value of TOML is replaced where it stands: its key, its blanks and its comment stay', () => {
  assert.equal(
    applyOverrides('+++\nTitle   =  "Old"   # mine\n+++\nB', { title: 'New' }),
    '+++\nTitle   =  "New"   # mine\n+++\nB',
  );
});

test('a control character, with which no language reads, keeps no flag from being written', () => {
  for (const content of ['+++\ntitle = "a\u0007b"\n+++\nB\u0007', '{"title": "a\u0007b"}\nB\u0007']) {
    const written = applyOverrides(content, { crossPost: { blogsite_a: false } });
    assert.equal(read(written).draft.crossPost.blogsite_a, false, written);
    assert.ok(written.endsWith('B\u0007'), 'the body keeps its bytes');
  }
});

test('what `<<` merges in counts as it is read: spelled as in the specification before a spelling of its own', () => {
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

test('numbers and blanks that look like nothing come back as they are written, also where the whole is printed anew', () => {
  const merged = '---\ntitle: T\nseries_id: 007\nbase: &b {cross_post: {social_feed: yes}}\n<<: *b\n---\nB';
  assert.equal(read(applyOverrides(merged, { crossPost: { social_feed: false } })).draft.seriesId, '007');
  const written = applyOverrides('---\ntitle: "T"\n---\nB', { title: ';', tags: ['\u00a0null'] });
  assert.equal(applyOverrides(written, { title: ';', tags: ['\u00a0null'] }), written);
});

test('a document that cannot be read is returned unchanged', () => {
  for (const content of ['---\ntitle: [\n---\nB', '---js\n{}\n---\nB', '+++\na = \n+++\nB', '---\ntitle: T\n'])
    assert.equal(applyOverrides(content, ALL), content);
});

test('reading what was written gives the overridden values, and everything else unchanged', () => {
  fc.assert(
    fc.property(documents, overrides, (content, chosen) => {
      const before = readDocument({ content, now: NOW });
      const written = applyOverrides(content, chosen);
      assert.equal(applyOverrides(written, chosen), written, 'a second time changes nothing');
      const after = readDocument({ content: written, now: NOW });
      assert.ok(before.ok && after.ok, `${content}\n${written}`);
      assert.ok(written.endsWith(cutFrontmatter(content)), 'the body keeps its bytes');
      const expected = { ...before.draft };
      if (chosen.title !== undefined) expected.title = chosen.title;
      if (chosen.subtitle !== undefined) expected.subtitle = chosen.subtitle;
      if (chosen.tags !== undefined) expected.tags = [...new Set(chosen.tags)];
      if (chosen.category !== undefined) expected.category = chosen.category;
      if (chosen.generateToc !== undefined) expected.generateToc = chosen.generateToc;
      if (chosen.draft === true) Object.assign(expected, { status: 'DRAFT', scheduledAt: null });
      if (chosen.crossPost !== undefined) {
        expected.crossPost = { ...expected.crossPost, ...chosen.crossPost };
        expected.crossPostNamed = [...expected.crossPostNamed, ...DESTINATION_KEYS].filter(
          (key, i, all) => all.indexOf(key) === i,
        );
        expected.crossPostNamed = expected.crossPostNamed.filter(
          (key) => chosen.crossPost?.[key] ?? before.draft.crossPostNamed.includes(key),
        );
      }
      assert.deepEqual(
        { ...after.draft, crossPostNamed: [...after.draft.crossPostNamed].sort() },
        { ...expected, crossPostNamed: [...expected.crossPostNamed].sort() },
      );
    }),
    { numRuns: runs(300) },
  );
});

const words = fc
  .stringMatching(/^[A-Za-z0-9äß:#"'!&*@%,-][A-Za-z0-9äß :#"'!&*@%,-]{0,20}[A-Za-z0-9]$/)
  .map((text) => text.replace(/ +/g, ' '));
const tag = fc.stringMatching(/^[a-z0-9][a-z0-9.]{0,8}$/);
const flag = fc.boolean();

const overrides: fc.Arbitrary<Overrides> = fc.record(
  {
    title: words,
    subtitle: words,
    tags: fc.array(tag, { maxLength: 4 }),
    category: fc.constantFrom('backend', 'ai'),
    generateToc: flag,
    draft: fc.constant(true as const),
    crossPost: fc.record({ blogsite_a: flag, cms_site: flag }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const yamlLines = fc.record({
  title: words,
  subtitle: fc.option(words),
  tags: fc.array(tag),
  toc: fc.option(flag),
  scheduled: flag,
  comment: words,
  extra: words,
});
const documents = fc.oneof(
  yamlLines.map(
    (f) =>
      `---\n# ${f.comment.replace(/[\r\n]/g, '')}\ntitle: ${JSON.stringify(f.title)} # note\n${f.subtitle === null ? '' : `subtitle: ${JSON.stringify(f.subtitle)}\n`}extra:\n  - ${JSON.stringify(f.extra)}\ntags: ${JSON.stringify(f.tags)}\n${f.toc === null ? '' : `generate_toc: ${f.toc ? 'yes' : 'off'}\n`}${f.scheduled ? 'scheduled_at: 2027-01-01T00:00:00Z\n' : ''}cross_post:\n  social_feed: true # share\n---\n\nBody  \n\n---\n\nmore\n`,
  ),
  yamlLines.map(
    (f) =>
      `+++\n# ${f.comment}\ntitle = ${JSON.stringify(f.title)} # note\n${f.subtitle === null ? '' : `subtitle = ${JSON.stringify(f.subtitle)}\n`}tags = ${JSON.stringify(f.tags)}\n${f.toc === null ? '' : `generate_toc = ${f.toc}\n`}\n[extra]\ntitle = ${JSON.stringify(f.extra)}\n+++\n\nBody  \n`,
  ),
  fc.constant('Body without frontmatter.\n\n# Heading\n'),
  fc.tuple(yamlLines, fc.constantFrom(undefined, 2, '\t'), flag).map(([f, indent, isFenced]) => {
    const { title, subtitle, tags, extra } = f;
    const json = JSON.stringify({ Title: title, subtitle, tags, extra: { a: [extra] } }, null, indent);
    return isFenced ? `;;;\n${json}\n;;;\n\nBody  \n` : `${json}\n\nBody  \n`;
  }),
);

function cutFrontmatter(content: string): string {
  const fence = content.slice(0, 3);
  if (content.startsWith('{')) return content.slice(content.indexOf('\n\nBody') + 1);
  if (!['---', '+++', ';;;'].includes(fence)) return content;
  return content.slice(content.indexOf(`\n${fence}\n`, 3) + 5);
}
