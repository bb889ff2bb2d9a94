import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';
import { listCodes, NOW, read, refuse, withFrontmatter } from '../support/documents.ts';

test('keys are read regardless of case and surrounding blanks (A32)', () => {
  for (const line of [
    'Draft: true',
    'DRAFT: yes',
    '"draft ": true',
    '" Draft": on',
    'dRaFt  : TRUE',
    '? Draft\n: true',
  ]) {
    assert.equal(read(withFrontmatter(`title: T\n${line}`)).draft.status, 'DRAFT', line);
  }
  for (const line of ['Published: false', 'PUBLISHED: no', '"\tpublished": off', 'Status: Draft', 'STATUS: draft']) {
    assert.equal(read(withFrontmatter(`title: T\n${line}`)).draft.status, 'DRAFT', line);
  }
  assert.equal(read('+++\nTitle = "T"\n"DRAFT " = true\n+++\nB').draft.status, 'DRAFT');
  assert.equal(read('{\n  "Title": "T",\n  "Draft": true\n}\nB').draft.status, 'DRAFT');
});

test('every field is read in capital letters and in the spelling of other tools', () => {
  const content = withFrontmatter(
    `TITLE: The title
Subtitle: Below
Excerpt: Short
TAGS: [one]
Canonical_URL: https://me.example/x
BASE_URL: https://me.example/
Category: ops
Cover_Image: /c.png
Generate_TOC: yes
Comments_Enabled: no
Cross_Post: {Blogsite_A: false, SOCIAL_FEED: true}
ID: a-1
Slug: s
Series_ID: 7
Scheduled_At: 2027-01-01T00:00:00Z`,
  );
  const lower = read(content.replace(/^([A-Za-z_]+):/gm, (key) => key.toLowerCase()));
  const { draft, warnings } = read(content);
  assert.deepEqual(warnings, []);
  assert.deepEqual(draft, lower.draft);
  assert.deepEqual([draft.status, draft.externalId, draft.crossPost.blogsite_a], ['SCHEDULED', 'a-1', false]);
  const camel = content
    .replace(/^([A-Za-z]+)_([A-Za-z]+):/gm, (_key, a: string, b: string) => `${a.toLowerCase()}${b}:`)
    .replace('Cover_Image', 'cover-image');
  assert.deepEqual(read(camel).draft, lower.draft);
});

test('of two keys that differ in case, the specification’s counts, else the first, with a warning', () => {
  const cases: [string, string, string][] = [
    ['Title: A\ntitle: B', 'B', 'Title'],
    ['title: A\nTitle: B', 'A', 'Title'],
    ['TITLE: A\nTitle: B', 'A', 'Title'],
    ['title:\nTitle: B', 'B', ''],
  ];
  for (const [lines, title, loser] of cases) {
    const { draft, warnings } = read(withFrontmatter(lines), { fileName: 'name.md' });
    assert.equal(draft.title, title, lines);
    assert.deepEqual(listCodes(warnings), loser === '' ? [] : ['key_given_twice'], lines);
    if (loser !== '')
      assert.match(warnings[0]?.message ?? '', new RegExp(`"${loser}".* are the same key; "\\w+" is used`));
  }
  const { warnings } = read(withFrontmatter('title: T\ntags: [a]\nTags: [b]'));
  assert.deepEqual([warnings[0]?.path, warnings[0]?.line, warnings[0]?.column], ['tags', 4, 7]);
});

test('a key that is overridden by another spelling and means "not public" leaves the state in doubt (A32)', () => {
  for (const lines of [
    'draft: false\nDraft: true',
    'published: true\nPublished: false',
    'PUBLISHED: yes\nPublished: no',
  ]) {
    const { draft, warnings } = read(withFrontmatter(`title: T\n${lines}`));
    assert.equal(draft.status, 'PUBLISHED');
    assert.deepEqual(listCodes(warnings), ['key_given_twice', 'state_doubtful'], lines);
  }
});

test('destinations are read regardless of case; of two spellings the specification’s counts', () => {
  const { draft, warnings } = read(
    withFrontmatter(
      'title: T\ncross_post:\n  BLOGSITE_A: no\n  "blogsite_b ": no\n  Social_Feed: yes\n  social_feed: no',
    ),
  );
  assert.deepEqual(
    [draft.crossPost.blogsite_a, draft.crossPost.blogsite_b, draft.crossPost.social_feed],
    [false, false, false],
  );
  assert.deepEqual(draft.crossPostNamed, []);
  assert.deepEqual(listCodes(warnings), ['key_given_twice']);
  assert.equal(read(withFrontmatter('title: T\ncrossPost: {blogsite-a: false}')).draft.crossPost.blogsite_a, false);
});

test('an invalid value under a field in capital letters is rejected like any other, with its place', () => {
  const [problem] = refuse(withFrontmatter('title: T\nDraft: 12:30:45'));
  assert.deepEqual([problem?.path, problem?.line, problem?.column], ['draft', 3, 8]);
});

test('a draft is a draft in any mixture of case and blanks', () => {
  const mixed = (word: string) =>
    fc
      .tuple(
        fc.constantFrom('', ' ', '\t', '\u00a0', '\u200b'),
        fc.array(fc.boolean(), { minLength: word.length, maxLength: word.length }),
        fc.constantFrom('', ' ', '  ', '\ufeff'),
      )
      .map(([before, upper, after]) => {
        const letters = [...word].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter));
        return JSON.stringify(before + letters.join('') + after);
      });
  const state = fc.oneof(
    mixed('draft').map((key) => `${key}: true`),
    mixed('published').map((key) => `${key}: false`),
    mixed('status').map((key) => `${key}: Draft`),
  );
  const shape = fc.constantFrom('yaml', 'toml', 'json', 'hexo');
  fc.assert(
    fc.property(state, shape, mixed('title'), (line, language, title) => {
      const [key, value] = line.split(': ') as [string, string];
      const word = value === 'Draft' ? '"Draft"' : value;
      const content = {
        yaml: `---\n${title}: T\n${line}\n---\nB`,
        toml: `+++\n${title} = "T"\n${key} = ${word}\n+++\nB`,
        json: `{\n${title}: "T",\n${key}: ${word}\n}\nB`,
        hexo: `${title}: "T",\n${key}: ${word}\n;;;\nB`,
      }[language];
      const whole = language === 'hexo' ? `;;;\n${content}` : content;
      const result = readDocument({ content: whole, now: NOW });
      assert.ok(result.ok, JSON.stringify([whole, result]));
      assert.deepEqual([result.draft.status, result.draft.title, result.draft.body], ['DRAFT', 'T', 'B']);
    }),
    { numRuns: runs(500) },
  );
});
