/** Tests what an author reads about frontmatter that cannot be read: the whole message and its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, refuse } from '../support/documents.ts';

/** The problems of a document as `line:column message`. */
const explain = (content: string) => refuse(content).map(({ line, column, message }) => `${line}:${column} ${message}`);
const explainYaml = (frontmatter: string) => explain(`---\n${frontmatter}\n---\n\nText.\n`);
const explainToml = (frontmatter: string) => explain(`+++\n${frontmatter}\n+++\n\nText.\n`);

test('an error in YAML is described at its place, with advice where it is known', () => {
  const unread = 'The YAML cannot be read:';
  for (const [frontmatter, message] of [
    [
      'a: b: c',
      `2:4 ${unread} Nested mappings are not allowed in compact mappings. Put a value that contains ": " in quotes.`,
    ],
    ['a: @x', `2:4 ${unread} Plain value cannot start with reserved character @. Put the value in quotes.`],
    ['\ta: b', `2:1 ${unread} Tabs are not allowed as indentation. Indent with spaces.`],
    ['a: {b: c', `2:9 ${unread} Flow map in block collection must be sufficiently indented and end with a }.`],
    ['- a', '2:1 The frontmatter is not a list of "key: value" lines.'],
    ['just text', '2:1 The frontmatter is not a list of "key: value" lines.'],
    ['a: 1\na: 2', '3:1 The key "a" occurs twice. Remove one of them.'],
    ['a: *x', '2:4 The alias *x refers to itself or to an anchor that is not defined before it.'],
    [`a: ${'['.repeat(61)}`, '2:1 The frontmatter is nested too deeply to be read.'],
    [`a: ${'x'.repeat(65_534)}`, '1:1 The frontmatter is larger than 64 KiB. Move text into the body.'],
  ] as const)
    assert.deepEqual(explainYaml(frontmatter), [message], frontmatter.slice(0, 40));
  const title = `${'['.repeat(60)}]${'[]'.repeat(50)}`;
  assert.equal(read(`---\ntitle: "${title}"\n---\n\nText.`).draft.title, title);
  assert.equal(read(`---\ntitle: T\nx: ${'x'.repeat(65_524)}\n---\n\nText.`).draft.title, 'T');
});

test('an error in TOML is described at its place', () => {
  for (const [frontmatter, message] of [
    ['a = ', '2:5 The TOML cannot be read: invalid value.'],
    ['a = 2026-02-30', '2:14 The TOML cannot be read: unexpected invalid date.'],
    ['a = 1\na = 2', '3:1 The TOML cannot be read: trying to redefine an already defined table or value.'],
    ['b = [1', '2:7 The TOML cannot be read: expected comma or end of structure.'],
  ] as const)
    assert.deepEqual(explainToml(frontmatter), [message], frontmatter);
});

test('an error in JSON is described at its place', () => {
  const advice = 'Write keys and text in double quotes, without a comma after the last field.';
  assert.deepEqual(explain('{"title": "T" "a": 1}\nB'), [
    `1:15 The JSON cannot be read: Expected ',' or '}' after property value. ${advice}`,
  ]);
  assert.deepEqual(explain('{"title": \'T\'}\nB'), [`1:11 The JSON cannot be read: Unexpected token '''. ${advice}`]);
  assert.deepEqual(explain('{"title": "T\n"}\nB'), [
    `1:13 The JSON cannot be read: Bad control character in string literal. ${advice}`,
  ]);
});

test('frontmatter in a form or at a place that is not read is described with what to do', () => {
  for (const [content, message] of [
    ['—-\ntitle: T\n—-\n', '1:1 "—-" is not a frontmatter fence; write a line of ---.'],
    [`${'*'.repeat(20)}\ntitle: T\n`, `1:1 "${'*'.repeat(20)}" is not a frontmatter fence; write a line of ---.`],
    [
      'title: T\ntags: x\n\nBody',
      '1:1 This looks like frontmatter without fences, which is ignored; put a line of --- above and below.',
    ],
    [
      '<!--\ntitle: T\ndraft: true\n-->\n\nB',
      '3:1 Frontmatter in an HTML comment is ignored; put it between lines of ---.',
    ],
    ['# T\n\n---\ntitle: T\n---\n\nB', '3:1 Frontmatter is only read at the very beginning; move it above all text.'],
    [
      '---\ntitle: T\n---\n\n---\ntitle: T\n---\n\nB',
      '5:1 A second frontmatter begins here and is ignored; move its fields into the first one.',
    ],
    [
      '---js\ntitle: T\n---\nB',
      '1:1 Frontmatter in "js" is not supported. Write YAML between --- or TOML between +++.',
    ],
    ['---\ntitle: T\n\nBody', '1:1 The frontmatter that begins on line 1 is not closed. End it with a line of ---.'],
    ['\n+++\ntitle = "T"\n', '2:1 The frontmatter that begins on line 2 is not closed. End it with a line of +++.'],
    ['{\n"title": "T",\n\nBody', '1:1 The JSON that begins on line 1 is not closed. End it with a line of }.'],
    [';;;\n"title": "T"\n\nB', '1:1 The frontmatter that begins on line 1 is not closed. End it with a line of ;;;.'],
  ] as const)
    assert.deepEqual(explain(content), [message], content);
});

test('one line without fences is frontmatter if it states a state', () => {
  for (const key of ['draft', 'isdraft', 'is_draft', '"draft"', 'publish', 'published', 'private', 'status'])
    assert.equal(explain(`${key}: true\n\nBody.`).length, 1, key);
  for (const word of ['false', 'yes', 'no', 'on', 'off', 'draft', 'private', 'hidden', '"draft"'])
    assert.equal(explain(`status: ${word}\n\nBody.`).length, 1, word);
  for (const line of ['status: quo', 'status: drafty', 'A draft: true', 'drafts: true', 'status quo'])
    assert.ok(read(`${line}\n\nBody.`, { fileName: 'a.md' }).draft.body.includes(line), line);
});

test('frontmatter is found below headings, imports, tags, templates and badges', () => {
  const below = (prelude: string) => `${prelude}\n\n---\ntitle: T\ndraft: true\n---\n\nBody.`;
  for (const line of [
    '# T',
    'import a from "b"',
    'export const a = 1',
    '<br>',
    '{% x %}',
    '{{ x }}',
    '![a](b)',
    '[![a](b)](c)',
  ])
    assert.match(explain(below(line))[0] ?? '', /only read at the very beginning/, line);
  assert.equal(read(below('Text.'), { fileName: 'a.md' }).draft.status, 'PUBLISHED');
  assert.equal(explain(below('\n#'.repeat(30))).length, 1);
  assert.equal(read(below('#\n'.repeat(40)), { fileName: 'a.md' }).draft.status, 'PUBLISHED');
});
