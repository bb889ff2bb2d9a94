/**
 * Generates documents with frontmatter in every language and layout, with texts that resemble
 * syntax.
 */
import fc from 'fast-check';

/** Texts with and without a meaning in YAML, TOML, JSON and fences. */
export const textArbitrary = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'#:-?|>!&*%@`"\'[]{},=\\/~<+;. 019aZßé日🙂'),
      fc.constantFrom('---', '...', '+++', ';;;', ': ', ' #', '- ', "''", '\\n', '\\u0041', '<<', '{{', '}}', '\u00a0'),
      fc.constantFrom(
        'null',
        'yes',
        'no',
        'true',
        '0x1f',
        '1e3',
        '.5',
        '12:30:45',
        '2027-01-01',
        '.inf',
        'title:',
        '==',
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))
  .filter((value) => value.trim() !== '');

const inner = fc.constantFrom(
  'title: x',
  '[cross_post]',
  'title = "x"',
  '# no comment',
  '- x',
  'draft: true',
  '',
  '  y',
  '[a.b]',
);
const yamlEntries = [
  fc
    .tuple(fc.constantFrom('title', 'Title', '"title"', 'title ', "'TITLE'", '? title\n'), textArbitrary)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  fc.constantFrom(
    'title: |\n  two\n  lines',
    'title: >-\n  two\n  lines',
    "title: 'it''s'",
    'title: "one\ntwo"',
    'title: &t T # why',
    'title:',
    'title: # none',
  ),
  fc.constantFrom(
    'tags: [a, b]',
    'tags: [a,\n  b]',
    'tags:\n- a\n- b',
    'tags:\n  - a # why\n  # and\n  - b',
    'tags: a, b',
    'tags:',
    'keywords: [x]',
    'tags: &x [a]',
    'Tags:\n\n  - a',
  ),
  fc.constantFrom(
    'cross_post: {blogsite_b: no}',
    'cross_post:\n  blogsite_b: no # why',
    'Cross_Post:\n    Blogsite_A: yes',
    'crossPost: {blogsite-b: no}',
    'cross_post:',
    'cross_post: {}',
    'cross_post: { # a\n  blogsite_a: off }',
    'cross_post: &c\n  cms_site: on',
    'cross_post: {"blogsite_a": yes, x: y}',
  ),
  fc.constantFrom(
    'subtitle: old',
    'subtitle: |-\n  old',
    'Subtitle: "old"   # why',
    'subtitle: !!str 5',
    'subtitle: &s old\nother: *s',
  ),
  fc.constantFrom(
    'status: PUBLISHED',
    'draft: false',
    'published: yes',
    'Status: scheduled\nscheduled_at: 2027-01-01',
    'scheduled_at: 2027-01-01T00:00:00Z',
    'draft: true',
  ),
  fc.constantFrom('toc: yes', 'generate_toc: off', 'generateToc: true'),
  fc.constantFrom(
    'series: x',
    'series_id: 007',
    'category: ops',
    'categories: [a, b]',
    'canonical: https://old.example/',
    'canonical_url: https://old.example/x',
  ),
  fc.constantFrom(
    'base: &b {cross_post: {social_feed: true}}\n<<: *b',
    '# a comment',
    '',
    'extra:\n  title: no\n  draft: true',
    'n: 12345678901234567890',
    'd: 2020-01-02   03:04:05',
  ),
  fc
    .tuple(fc.constantFrom('|', '>', '|-', '>+'), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([style, lines]) => `notes: ${style}\n${lines.map((line) => `  ${line}`).join('\n')}`),
];
const tomlEntries = [
  fc
    .tuple(fc.constantFrom('title', 'Title', '"title"', "'title'", '  title'), textArbitrary)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  fc.constantFrom('title = """\ntwo\nlines"""', "title = '''it's'''", "title = 'a # b' # why", 'title="x"'),
  fc.constantFrom(
    'tags = ["a", "b"]',
    'tags = [\n  "a", # ] why\n  "b",\n]',
    'tags = []',
    "tags = ['[x]']",
    'keywords = ["x"]',
  ),
  fc.constantFrom(
    'cross_post = { blogsite_b = false }',
    'cross_post = {} # why',
    'cross_post.blogsite_b = false',
    '"cross_post".blogsite_a = true',
    'Cross_Post = { Blogsite_A = true }',
    'crossPost = { blogsite-b = false }',
    'cross_post.blogsite_b = false # why\ncross_post.x = true',
  ),
  fc.constantFrom('subtitle = "old"', 'subtitle = "old" # "why" # and'),
  fc.constantFrom('status = "PUBLISHED"', 'draft = false', 'draft = true', 'scheduled_at = 2027-01-01T00:00:00Z'),
  fc.constantFrom('toc = true', 'generate_toc = false'),
  fc.constantFrom('series = "x"', 'series_id = 7', 'category = "ops"', 'canonical_url = "https://old.example/x"'),
  fc.constantFrom('# a comment', '', 'n = 1_000', 'matrix = [\n  [1, 2],\n[3, 4]]', 'd = 2020-01-02', 'a.b.c = 1'),
  fc
    .tuple(fc.constantFrom('"""', "'''"), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([quote, lines]) => `notes = ${quote}\n${lines.join('\n').replaceAll('"', '')}\n${quote}`),
];
const tomlTables = [
  fc.constantFrom(
    '[extra]\ntitle = "other"\ndraft = true',
    '[[items]]\nx = 1\n[[items]]\nx = 2',
    '[ extra . more ]\n"a b" = 1',
  ),
  fc.constantFrom(
    '[cross_post]\nblogsite_b = false',
    '[ cross_post ] # why\nblogsite_a = true # why',
    '["cross_post"]',
    '[cross_post]\n\n# last',
    '[Cross_Post]\nBlogsite_A = true',
  ),
  fc.constantFrom('[params]\ntext = """\n[cross_post]\nblogsite_a = true\n"""', '[taxonomies]\ntags = ["x"]'),
];

/** Some of the entries, in any order. */
const choose = (entries: fc.Arbitrary<string>[]): fc.Arbitrary<string[]> =>
  fc
    .shuffledSubarray(entries.map((_, index) => index))
    .chain((chosen) => fc.tuple(...chosen.map((n) => entries[n] as fc.Arbitrary<string>)));
const body = fc.constantFrom('Body  \n', '\nBody\n\n---\n\nmore\n', '', '\n# Heading\n\tend');
const yaml = fc
  .tuple(choose(yamlEntries), body)
  .map(([lines, rest]) => `---\n${lines.map((line) => `${line}\n`).join('')}---\n${rest}`);
const toml = fc
  .tuple(choose(tomlEntries), choose(tomlTables), body)
  .map(([lines, tables, rest]) => `+++\n${[...lines, ...tables].map((line) => `${line}\n`).join('')}+++\n${rest}`);
const json = fc
  .tuple(
    fc.record(
      {
        Title: textArbitrary,
        tags: fc.array(textArbitrary),
        crossPost: fc.constant({ 'blogsite-b': false }),
        cross_post: fc.constantFrom(null, {}, { blogsite_b: false }, { Blogsite_A: true }),
        subtitle: fc.option(textArbitrary),
        extra: fc.jsonValue({ maxDepth: 2 }),
        status: fc.constant('PUBLISHED'),
        notes: fc.constantFrom('a\nb', '"title": "x"', '}', '\u2028'),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(undefined, 2, '\t'),
    fc.constantFrom('braces', 'semicolons', 'bare'),
    body,
  )
  .map(([data, indent, shape, rest]) => {
    const printed = JSON.stringify(data, null, indent);
    if (shape === 'braces' && Object.keys(data).length > 0) return `${printed}\n${rest}`;
    if (shape === 'semicolons') return `;;;\n${printed}\n;;;\n${rest}`;
    return `;;;\n${printed.trim().slice(1, -1)}\n;;;\n${rest}`;
  });
export const frontmatterArbitrary = fc
  .tuple(fc.oneof(yaml, toml, json), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\ufeff'))
  .map(([content, end, mark]) => mark + content.replaceAll('\n', end));
