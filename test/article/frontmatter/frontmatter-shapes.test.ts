import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import type { FieldNode } from '../../../article/frontmatter/field-node.ts';
import { splitFrontmatter } from '../../../article/frontmatter/syntax/split-frontmatter.ts';
import { runs } from '../../support/property-runs.ts';
import { read, refuse } from '../support/documents.ts';
import { textArbitrary } from '../support/frontmatter-arbitrary.ts';

test('frontmatter is read in every shape that authors use (A32)', () => {
  const shapes = {
    'JSON in braces': '{\n  "title": "T",\n  "draft": true\n}\nBody\n',
    'JSON on one line': '{"title":"T","draft":true}\nBody\n',
    'JSON with tabs and blank lines above': '\n\n{\n\t"title": "T",\n\t"draft": true\n}\n\nBody\n',
    'JSON between semicolons': ';;;\n{"title": "T", "draft": true}\n;;;\nBody\n',
    'the members of an object between semicolons': ';;;\n"title": "T",\n"draft": true\n;;;\nBody\n',
    'the members of an object above semicolons': '"title": "T",\n"draft": true\n;;;\nBody\n',
    'a fence that names JSON': '---json\n{"title": "T", "draft": true}\n---\nBody\n',
    'JSON between dashes': '---\n{"title": "T", "draft": true}\n---\nBody\n',
    'more than three dashes': '-----\ntitle: T\ndraft: true\n-----\nBody\n',
    'fences of different length': '----\ntitle: T\ndraft: true\n---\nBody\n',
    'a longer fence at the end': '---\ntitle: T\ndraft: true\n------\nBody\n',
    'more than three pluses': '++++\ntitle = "T"\ndraft = true\n++++\nBody\n',
    'a comment behind the fence': '--- # settings\ntitle: T\ndraft: true\n--- # end\nBody\n',
    'a comment behind a fence that names its language': '---yaml # settings\ntitle: T\ndraft: true\n---\nBody\n',
    'an HTML comment above': '<!-- markdownlint-disable -->\n---\ntitle: T\ndraft: true\n---\nBody\n',
    'HTML comments of several lines above':
      '<!--\nabout\n-->\n\n<!-- more -->\n\n+++\ntitle = "T"\ndraft = true\n+++\nBody\n',
    'an HTML comment above JSON': '<!-- c -->\n{"title": "T", "draft": true}\nBody\n',
    'no fence above': 'title: T\ndraft: true\n---\nBody\n',
    'no fence above a list': 'title: T\ntags:\n- a\n- b\ndraft: true\n-----\nBody\n',
  };
  for (const [name, content] of Object.entries(shapes)) {
    for (const text of [content, content.replace(/\n/g, '\r\n')]) {
      const { draft, warnings } = read(text);
      assert.deepEqual([draft.title, draft.status, draft.body.trim()], ['T', 'DRAFT', 'Body'], name);
      assert.deepEqual(warnings, [], name);
    }
  }
});

test('unsupported forms of frontmatter are rejected with their line and never published as text (A32)', () => {
  const shapes: Record<string, [string, number]> = {
    'dashes that a phone has joined': ['—-\ntitle: T\ndraft: true\n—-\nBody\n', 1],
    'two dashes': ['--\ntitle: T\ndraft: true\n--\nBody\n', 1],
    'stars for dashes': ['***\ntitle: T\ndraft: true\n***\nBody\n', 1],
    'a key on the line of the fence': ['--- title: T\ndraft: true\n---\nBody\n', 1],
    'a long fence that is never closed': ['-----\ntitle: T\ndraft: true\n\nBody\n', 1],
    'semicolons that are never closed': [';;;\n"title": "T"\n\nBody\n', 1],
    'braces that are never closed': ['{\n"title": "T",\n"draft": true\n\nBody\n', 1],
    'keys without quotes in braces': ['{\n  title: "T",\n  "draft": true\n}\nBody\n', 2],
    'a comma too many in JSON': ['{\n  "title": "T",\n  "draft": true,\n}\nBody\n', 4],
    'text behind the closing brace': ['{"title": "T", "draft": true} Body\n', 1],
    'no fences at all': ['Title: T\nStatus: draft\nDate: 2026-01-01\n\nBody\n', 1],
    'one line without fences that says draft': ['draft: true\n\nBody\n', 1],
    'fields in an HTML comment': ['<!--\n.. title: T\n.. status: draft\n-->\n\nBody\n', 3],
    'fences in an HTML comment': ['<!--\n---\ntitle: T\ndraft: true\n---\n-->\n\nBody\n', 3],
    'a heading above it': ['# T\n\n---\ntitle: T\ndraft: true\n---\n\nBody\n', 3],
    'an import above it': ['import A from "./a"\n\n---\ntitle: T\ndraft: true\n---\n\nBody\n', 3],
    'a second one below': ['---\ntitle: T\n---\n\n---\ntitle: T\ndraft: true\n---\n\nBody\n', 5],
    'another language': ['---lua\ntitle = "T"\n---\nBody\n', 1],
    'a language that is never closed': ['---js\ntitle: T\ndraft: true\n\nBody\n', 1],
    'fields after a blank line, broken': ['---\n\nDraft: true\nTitle: [\n---\nBody\n', 4],
  };
  for (const [name, [content, line]] of Object.entries(shapes)) {
    const [problem] = refuse(content);
    assert.deepEqual([problem?.path, problem?.line], ['frontmatter', line], `${name}: ${problem?.message}`);
    assert.ok((problem?.column ?? 0) >= 1, name);
  }
});

test('errors in JSON are reported at their place', () => {
  const cases: [string, number, number][] = [
    ['{\n  "title": "T",\n  "draft": True\n}\nB', 3, 12],
    ['{\n  "title": \'T\'\n}\nB', 2, 12],
    ['{\n  "title": "T"\n  "draft": true\n}\nB', 3, 3],
    [';;;\n"title": "T"\n"draft": true\n;;;\nB', 3, 1],
    [';;;\n"title": "T",\n"tags": [1, 2\n;;;\nB', 4, 1],
    ['{\n  "title": "a\\x"\n}\nB', 2, 15],
    ['{\n  "title": "T" // a comment\n}\nB', 2, 16],
  ];
  for (const [content, line, column] of cases) {
    const [problem] = refuse(content);
    assert.deepEqual([problem?.path, problem?.line, problem?.column], ['frontmatter', line, column], content);
    assert.match(problem?.message ?? '', /^The JSON cannot be read: [^"]*(?:"|')?/);
  }
  const [twice] = refuse('{"title": "T", "draft": true, "draft": false}\nB');
  assert.match(twice?.message ?? '', /"draft" occurs twice/);
});

test('text that only resembles frontmatter stays text', () => {
  const texts = [
    '----\n\nA thought.\n\n----\n\nMore.\n',
    '-----\nA line\n-----\nMore.\n',
    '***\n\nText: with a colon.\n',
    '<!-- a comment -->\n\nText.\n',
    '<!-- title: of the picture below -->\n\nText.\n',
    '<!--\nTitle: of this page\nAuthor: me\nDate: 2026-01-01\n-->\n\nText.\n',
    'Date: a fruit of the palm.\n---\n\nMore.\n',
    'Note: this is about titles.\n---\n\nMore.\n',
    'Date: a fruit of the palm.\n\nMore.\n',
    'Title\n---\n\nMore.\n',
    '{% raw %}\nText.\n{% endraw %}\n',
    '{{ variable }}\n\nText.\n',
    '{/* a comment */}\n\nText.\n',
    '```yaml\n---\ntitle: T\ndraft: true\n---\n```\n',
    '    ---\n    title: T\n    ---\n',
    'An article about frontmatter.\n\n---\ntitle: T\n---\n',
    '| title: | b |\n|---|---|\n',
    '> ---\n> title: T\n> ---\n',
    ';;; a comment of Lisp\n\nText.\n',
    '+++ more +++\n\nText.\n',
  ];
  for (const text of texts) {
    const { body } = read(text, { fileName: 'name.md' }).draft;
    const withoutComments = text.replace(/\{\/\*.*?\*\/\}\n*/s, '');
    assert.equal(body.trim(), withoutComments.trim(), JSON.stringify(text));
  }
});

test('JSON frontmatter has the values of the JSON in any layout', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const object = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), value, { minKeys: 1, maxKeys: 6 });
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 2, '\t'), fc.boolean(), (data, indent, isFenced) => {
      fc.pre(!Object.keys(data).includes('<<') && !JSON.stringify(data).includes('"<<"'));
      const json = JSON.stringify(data, null, indent);
      const split = splitFrontmatter(isFenced ? `;;;\n${json}\n;;;\nBody\n` : `${json}\nBody\n`);
      assert.ok(split.ok, JSON.stringify(split));
      assert.equal(split.document.body, 'Body\n');
      const read = Object.fromEntries([...split.document.fields].map(([key, node]) => [key, toValue(node)]));
      assert.deepEqual(JSON.stringify(read), JSON.stringify(JSON.parse(json)));
    }),
    { numRuns: runs(500) },
  );
});

const leaf = fc.oneof(
  textArbitrary,
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((number) => number + 0),
  fc.tuple(textArbitrary, textArbitrary).map((lines) => `${lines.join('\n')}\n`),
);
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w-]{0,12}$/),
  textArbitrary.filter((text) => text !== '<<'),
);
const { data } = fc.letrec<{ data: Record<string, unknown>; value: unknown }>((tie) => ({
  data: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 3 }, { weight: 4, arbitrary: leaf }, fc.array(leaf, { maxLength: 3 }), tie('data')),
}));

test('frontmatter written by a YAML or TOML library is read with the same values in any style', () => {
  // With limited line widths, and with empty lists as blocks, the library cannot read its own
  // output.
  const style = fc.record({
    defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'),
    collectionStyle: fc.constantFrom('any', 'flow'),
    indentSeq: fc.boolean(),
  });
  fc.assert(
    fc.property(data, style, (values, options) => {
      for (const [fence, printed] of [
        ['---', stringifyYaml(values, { lineWidth: 0, ...options })],
        ['+++', stringifyToml(values)],
      ] as const) {
        const split = splitFrontmatter(`${fence}\n${printed}${printed.endsWith('\n') ? '' : '\n'}${fence}\nBody\n`);
        assert.ok(split.ok, `${printed}${JSON.stringify(split)}`);
        assert.equal(split.document.body, 'Body\n');
        const read = Object.fromEntries([...split.document.fields].map(([key, node]) => [key, toValue(node)]));
        assert.deepEqual(read, values, printed);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('fences of any length around the same lines give the same document', () => {
  const fence = fc.integer({ min: 3, max: 30 }).map((length) => '-'.repeat(length));
  const blanks = fc.constantFrom('', ' ', '\t', ' # note');
  const above = fc.constantFrom('', '\n', '<!-- c -->\n', '<!--\nc: d\n-->\n\n', '\n<!-- a --><!-- b -->\n');
  fc.assert(
    fc.property(fence, fence, blanks, above, (open, close, after, before) => {
      const { draft } = read(`${before}${open}${after}\ntitle: T\ndraft: true\n${close}${after}\nBody\n`);
      assert.deepEqual([draft.title, draft.status, draft.body], ['T', 'DRAFT', 'Body\n']);
    }),
    { numRuns: runs(200) },
  );
});

function toValue(node: FieldNode): unknown {
  if (node.kind === 'list') return node.items.map(toValue);
  if (node.kind === 'map') return Object.fromEntries(node.entries.map(([key, item]) => [key, toValue(item)]));
  return node.value;
}
