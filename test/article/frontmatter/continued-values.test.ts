import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyOverrides } from '../../../article/overrides/apply-overrides.ts';
import { runs } from '../../support/property-runs.ts';
import { read, refuse, withFrontmatter } from '../support/documents.ts';

test('a quoted value continues on following lines, at any column', () => {
  const cases: [string, string][] = [
    ['subtitle: "one\ntwo"', 'one two'],
    ["subtitle: 'one\ntwo'", 'one two'],
    ["subtitle: 'it''s\nhere'", "it's here"],
    ['subtitle: "one \\"quoted\\"\nword"', 'one "quoted" word'],
    ['subtitle: "one\\\ntwo"', 'onetwo'],
    ['subtitle: "one\n\ttwo"', 'one two'],
    ['subtitle: "one\n\n\ntwo\n"', 'one two'],
    ['subtitle: "one # no comment\ntwo: three"', 'one # no comment two: three'],
    ['subtitle: "one" # "a comment\nlayout: "two\nthree"', 'one'],
    ['layout: "a\nb"\nsubtitle: "one\ntwo"', 'one two'],
    ['notes: |\n  "not a quote\nsubtitle: "one\ntwo"', 'one two'],
    ["notes: it's\nsubtitle: 'one\ntwo'", 'one two'],
  ];
  for (const [lines, subtitle] of cases) {
    assert.equal(read(withFrontmatter(`title: T\n${lines}`)).draft.subtitle, subtitle, lines);
  }
});

test('text in blocks stays as it is, beside a value that continues', () => {
  const blocks = ['excerpt: |\n  He said: "Hello\n  world"\n', 'excerpt: >-\n  A: "B\n\n  c"\n'];
  for (const block of blocks) {
    const { draft } = read(withFrontmatter(`title: T\n${block}subtitle: "one\ntwo"`));
    const alone = read(withFrontmatter(`title: T\n${block}`));
    assert.deepEqual([draft.subtitle, draft.excerpt], ['one two', alone.draft.excerpt]);
  }
});

test('a list in brackets continues on following lines', () => {
  assert.deepEqual(read(withFrontmatter('title: T\ntags: [\n"one",\ntwo # a comment ]\n]')).draft.tags, ['one', 'two']);
  assert.equal(
    read(withFrontmatter('title: T\ncross_post: {\nblogsite_a: no,\nblogsite_b: no\n}')).draft.crossPost.blogsite_b,
    false,
  );
});

test('lines and columns refer to the file as sent', () => {
  const problems = refuse(withFrontmatter('title: T\nsubtitle: "one\ntwo"\ndraft: perhaps\ntags: [\na, [b], c\n]'));
  assert.deepEqual(
    problems.map(({ path, line, column }) => [path, line, column]),
    [
      ['draft', 5, 8],
      ['tags[1]', 7, 4],
    ],
  );
  const [still] = refuse(withFrontmatter('title: T\nsubtitle: "one\ntwo"\nx: [a'));
  assert.equal(still?.path, 'frontmatter');
});

test('a quote that is never closed does not hide the fields below it (A32)', () => {
  for (const lines of ['subtitle: "one\ndraft: true\nlayout: "x', 'subtitle: "one\nDraft: true\nexcerpt: two"']) {
    assert.equal(refuse(withFrontmatter(`title: T\n${lines}`))[0]?.path, 'frontmatter', lines);
  }
});

test('flags are written into frontmatter that has continued values', () => {
  const content = withFrontmatter('title: T\nsubtitle: "one\ntwo"');
  const { draft } = read(applyOverrides(content, { draft: true, tags: ['a'] }));
  assert.deepEqual([draft.status, draft.subtitle, draft.tags], ['DRAFT', 'one two', ['a']]);
});

test('a value continued at column 1 equals the same value indented as YAML requires', () => {
  const word = fc.stringMatching(/^[a-z#:,[\]{}&*!|>%@-]{1,6}$/).filter((text) => !/^(?:---|\.\.\.)/.test(text));
  const words = fc.array(fc.tuple(word, fc.constantFrom(' ', '\n', '\n\n', '\n\t')), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(words, fc.constantFrom('"', "'"), fc.integer({ min: 0, max: 3 }), (parts, quote, depth) => {
      const text = parts.map(([part, gap], i) => (i === 0 ? '' : (parts[i - 1]?.[1] ?? gap)) + part).join('');
      fc.pre(!/^(?:id|x|tags?|status|date|draft)\s*[:=]/m.test(text));
      const write = (value: string) =>
        withFrontmatter(`title: T\nlayout: {a: 1}\nsubtitle: ${quote}${value}${quote}\nseries_id: 5\ndraft: true`);
      const expected = read(write(text.replace(/\n(?!\n)/g, `\n${' '.repeat(depth + 1)}`)));
      const { draft, warnings } = read(write(text));
      assert.deepEqual(draft, expected.draft);
      assert.deepEqual(warnings, expected.warnings);
    }),
    { numRuns: runs(250) },
  );
});
