import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildArticleUrl, buildSlug, isReservedSlug, readAuthorSlug } from '../../../article/identity/slug.ts';
import { runs } from '../../support/property-runs.ts';
import { listCodes, read, withFrontmatter } from '../support/documents.ts';

test('a slug is lower case, dashed, of any script, at most 80 characters and never empty', () => {
  const cases: [string, string][] = [
    ['Hello, World!', 'hello-world'],
    ["What's new in C++ & C#?", 'whats-new-in-c-c'],
    ['  --Déjà vu--  ', 'déjà-vu'],
    ['snake_case', 'snake-case'],
    ['如何使用异步', '如何使用异步'],
    ['Привет, мир', 'привет-мир'],
    ['🎉🎉', 'article'],
    ['', 'article'],
    ['...', 'article'],
    ['../../etc/passwd', 'etcpasswd'],
    ['a/b\\c', 'abc'],
    ['ﬁne ①', 'fine-1'],
    ['a\u202eb\u0000c', 'ab-c'],
    ['\u00b4\u{1d157}\u{1d165}', 'article'],
    ['e\u0301\u0323', 'ẹ\u0301'],
  ];
  for (const [title, slug] of cases) assert.equal(buildSlug(title), slug, JSON.stringify(title));
  const long = buildSlug('word '.repeat(40));
  assert.ok(long.length <= 80 && long.endsWith('word'));
  assert.equal(
    buildSlug(`a-${'b'.repeat(200)}`),
    `a-${'b'.repeat(78)}`,
    'a cut between words may not cost more than half',
  );
  assert.equal(buildSlug(`${'a'.repeat(40)}-${'b'.repeat(40)}`), `${'a'.repeat(40)}-${'b'.repeat(39)}`);
  assert.equal(buildSlug(`${'a'.repeat(41)}-${'b'.repeat(40)}`), 'a'.repeat(41));
  assert.equal(buildSlug('a'.repeat(80)), 'a'.repeat(80));
  assert.equal(buildSlug(`${'a'.repeat(80)}-b`), 'a'.repeat(80));
  assert.equal([...buildSlug('日'.repeat(200))].length, 80);
  assert.equal(buildSlug(`a${'\u{20000}'.repeat(200)}`), `a${'\u{20000}'.repeat(39)}`);
});

test('separators within numbers become a dash: versions, ranges and times', () => {
  for (const [title, slug] of [
    ['Helm 3.13', 'helm-3-13'],
    ['Release v2.0.0-rc.1', 'release-v2-0-0-rc-1'],
    ['From 3.13→3.14', 'from-3-13-3-14'],
    ['React 19.x', 'react-19-x'],
    ['Node.js 22.4 at 10:30', 'nodejs-22-4-at-10-30'],
    ['1,000 users, 2’000 posts', '1000-users-2000-posts'],
    ['Charts in d3.js', 'charts-in-d3js'],
    ['3.X and 3.xyz, rc.1 of 1--2', '3-x-and-3xyz-rc-1-of-1-2'],
  ] as const)
    assert.equal(buildSlug(title), slug);
});

test('a slug contains nothing invisible: joiners, variation selectors, fillers, tags, lone marks', () => {
  for (const hidden of [
    ...['\u200b', '\u200c', '\u200d', '\u2060', '\u200f', '\u202e', '\u2066', '\ufe0e', '\ufe0f', '\u{e0101}'],
    ...['\u180b', '\u034f', '\u115f', '\u3164', '\uffa0', '\u00ad', '\u{e0041}', '\u17b4', '\u061c'],
  ]) {
    const code = hidden.codePointAt(0)?.toString(16);
    assert.equal(buildSlug(`a${hidden}b`), 'ab', code);
    assert.equal(readAuthorSlug(`${hidden}a_b${hidden}`), 'a_b', code);
    assert.equal(buildSlug(hidden), 'article', code);
    assert.equal(readAuthorSlug(hidden), null, code);
  }
  assert.equal(buildSlug('\u0301'), 'article');
  assert.equal(buildSlug('a \u0301b'), 'a-b');
});

const hostile = fc.string({
  maxLength: 200,
  unit: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom(...'a1.-_/\\ x:', '\u200d', '\ufe0f', '\u3164', '\u0301', '\u{1d165}', '\u{20000}', 'İ', 'ﬁ', '½'),
  ),
});
/**
 * Letters, digits, marks and dashes; nothing with another meaning in an address, HTML or a shell.
 */
const SAFE = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;
const SAFE_OWN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{C}|--/u;

test('the slug of a slug is the same, never empty, and has only safe characters', () => {
  fc.assert(
    fc.property(hostile, (title) => {
      const slug = buildSlug(title);
      assert.ok(slug.length <= 80);
      assert.match(slug, SAFE);
      assert.doesNotMatch(slug, INVISIBLE);
      assert.equal(buildSlug(slug), slug);
      assert.equal(readAuthorSlug(slug), slug);
    }),
    { numRuns: runs(700) },
  );
});

test('an author’s slug is the same when read again and has only safe characters', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const slug = readAuthorSlug(text);
      if (slug === null) return;
      assert.ok(slug.length <= 150);
      assert.match(slug, SAFE_OWN);
      assert.doesNotMatch(slug, INVISIBLE);
      assert.equal(readAuthorSlug(slug), slug);
    }),
    { numRuns: runs(700) },
  );
});

test('an author’s slug of up to 150 characters is kept, and a change gives a warning', () => {
  const long = `a_${'long-'.repeat(25)}slug`;
  for (const own of ['my_first_post', '_2026_notes', long]) {
    const { draft, warnings } = read(withFrontmatter(`title: T\nslug: ${own}`));
    assert.deepEqual([draft.slug, warnings], [own, []]);
  }
  const { draft, warnings } = read(withFrontmatter('title: T\nslug: Helm-3.13'));
  assert.deepEqual([draft.slug, listCodes(warnings)], ['helm-3-13', ['slug_normalised']]);
  assert.equal(readAuthorSlug('word-'.repeat(60))?.length, 149);
  assert.equal(readAuthorSlug('a'.repeat(151)), 'a'.repeat(150));
  assert.equal(readAuthorSlug('a'.repeat(150)), 'a'.repeat(150));
  assert.equal(readAuthorSlug('___'), null);
});

test('paths of the site are reserved, also with a file extension', () => {
  const paths = `account admin api apple-touch-icon article articles assets atom auth author authors cards categories
    category connections dashboard desk digest docs favicon feed graphiql graphql health healthz help images index
    legal live llms llms-full login logout manifest mcp me metrics newsletter notifications openapi privacy public
    readyz ready register robots roundup roundups rss search series settings signup sitemap static status tag tags
    terms tokens unsubscribe user users well-known`.split(/\s+/);
  for (const path of [...paths, 'GraphQL']) assert.equal(isReservedSlug(path), true, path);
  for (const extension of ['txt', 'xml', 'json', 'md', 'ico', 'png', 'html']) {
    assert.equal(isReservedSlug(`llms.${extension}`), true, extension);
    assert.equal(isReservedSlug(`llms-${extension}`), false, extension);
  }
  for (const own of ['graphql-today', 'llms.pdf', 'llms.txt.pdf', 'my-sitemap', ''])
    assert.equal(isReservedSlug(own), false, own);
});

test('the address of an article has its slug percent-encoded', () => {
  assert.equal(buildArticleUrl('https://c.example', 'größe'), 'https://c.example/gr%C3%B6%C3%9Fe');
});
