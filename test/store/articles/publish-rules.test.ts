/** Tests the rules of a publish that need no database: storage, expectation, state and clashes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArticleDraft } from '../../../article/types.ts';
import { buildClashWarnings } from '../../../store/articles/canonical-clashes.ts';
import { requireExpected } from '../../../store/articles/publish/expected-article.ts';
import type { CandidateRow } from '../../../store/articles/publish/find-existing.ts';
import { hashRequest } from '../../../store/articles/publish/idempotency.ts';
import { decideState } from '../../../store/articles/publish/publish.ts';
import { isSlugRace } from '../../../store/articles/publish/save-article.ts';
import { requireStorage } from '../../../store/articles/publish/storage.ts';

for (const [what, change] of [
  ['reaches the limit exactly', { usedBytes: 90, oldBytes: 0, newBytes: 10 }],
  ['replaces a document of the article', { usedBytes: 95, oldBytes: 10, newBytes: 15 }],
  ['does not grow, although the limit was lowered', { usedBytes: 200, oldBytes: 10, newBytes: 10 }],
] as const) {
  test(`a document that ${what} is stored`, () => assert.doesNotThrow(() => requireStorage(change, 100)));
}

test('a document that exceeds the limit by one byte is refused, with the numbers', () => {
  const message =
    'Your articles use 95 of 100 bytes; with this document they would use 101. Nothing was changed. Delete or shorten some articles, or request more storage from the operator.';
  assert.throws(() => requireStorage({ usedBytes: 95, oldBytes: 10, newBytes: 16 }, 100), {
    name: 'RefusedCommandError',
    code: 'STORAGE_FULL',
    message,
  });
});

const EXISTING = {
  id: 'one',
  slug: 'first-article',
  status: 'PUBLISHED',
  publishedAt: new Date('2026-03-01T10:00:00Z'),
  fingerprint: Buffer.from('0a', 'hex'),
} as CandidateRow;

test('a publish is accepted without expectation, or if it finds what its author was shown', () => {
  requireExpected(undefined, EXISTING);
  requireExpected(undefined, null);
  requireExpected(null, null);
  requireExpected({ id: 'one', fingerprint: '0a' }, EXISTING);
});

for (const [expected, existing, reason] of [
  [
    { id: 'one', fingerprint: '0a' },
    null,
    'This document no longer matches the same article. It would create a new one.',
  ],
  [null, EXISTING, 'This document matches an existing article of yours and would change it: /first-article.'],
  [
    { id: 'other', fingerprint: '0a' },
    EXISTING,
    'This document matches an existing article of yours and would change it: /first-article.',
  ],
  [
    { id: 'one', fingerprint: '0b' },
    EXISTING,
    'The article at /first-article was changed elsewhere after you opened it here; publishing would replace that change.',
  ],
] as const) {
  test(`a publish is refused with: ${reason} (expected ${expected?.id ?? 'none'})`, () => {
    assert.throws(() => requireExpected(expected, existing), {
      code: 'NOT_AS_EXPECTED',
      message: `${reason} Nothing was changed. To publish anyway, send it again.`,
    });
  });
}

const NOW = new Date('2026-11-01T09:00:00Z');
const AT = new Date('2050-01-01T00:00:00Z');
const DRAFT = { ...EXISTING, status: 'DRAFT' } as CandidateRow;
const NEVER_PUBLIC = { ...DRAFT, publishedAt: null } as CandidateRow;
const ALREADY_PUBLIC = {
  code: 'already_public',
  path: 'scheduled_at',
  message: 'The article is already public and stays public; the future scheduled_at was not applied.',
};

for (const [what, status, existing, state, warnings = []] of [
  ['a new article', 'PUBLISHED', null, { status: 'PUBLISHED', scheduledAt: null, publishedAt: NOW }],
  ['a new draft', 'DRAFT', null, { status: 'DRAFT', scheduledAt: null, publishedAt: null }],
  ['a new schedule', 'SCHEDULED', null, { status: 'SCHEDULED', scheduledAt: AT, publishedAt: null }],
  [
    'a draft that was never public',
    'PUBLISHED',
    NEVER_PUBLIC,
    { status: 'PUBLISHED', scheduledAt: null, publishedAt: NOW },
  ],
  [
    'a draft that was public before',
    'PUBLISHED',
    DRAFT,
    { status: 'PUBLISHED', scheduledAt: null, publishedAt: EXISTING.publishedAt },
  ],
  [
    'a schedule of a draft that was public before',
    'SCHEDULED',
    DRAFT,
    { status: 'SCHEDULED', scheduledAt: AT, publishedAt: EXISTING.publishedAt },
  ],
  [
    'a schedule of a public article',
    'SCHEDULED',
    EXISTING,
    { status: 'PUBLISHED', scheduledAt: null, publishedAt: EXISTING.publishedAt },
    [ALREADY_PUBLIC],
  ],
  [
    'a public article that becomes a draft',
    'DRAFT',
    EXISTING,
    { status: 'DRAFT', scheduledAt: null, publishedAt: EXISTING.publishedAt },
  ],
] as const) {
  test(`the state after the publish of ${what}`, () => {
    const draft = { status, scheduledAt: AT } as ArticleDraft;
    assert.deepEqual(decideState(draft, existing, NOW), { ...state, warnings });
  });
}

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ slug: `post-${index + 1}`, authorUsername: `author-${index + 1}` }));
const warn = (count: number, givenCanonicalUrl: string | null) =>
  buildClashWarnings(others(count), { slug: 'own', givenCanonicalUrl }, 'https://here.example');
const EFFECT = 'All of them stay listed, so readers and search engines may find more than one.';
const THREE =
  'https://here.example/post-1 by author-1, https://here.example/post-2 by author-2, https://here.example/post-3 by author-3';

test('a warning names at most three articles of other authors', () => {
  const describe = (list: string) =>
    `Public articles of other authors have the same canonical URL https://there.example/a: ${list}. ${EFFECT} If https://there.example/a is not the original of your text, change or remove canonical_url. If https://there.example/a is not the original of their text, write to the operator of this site.`;
  const notice = { code: 'canonical_clash', path: 'canonical_url' };
  assert.deepEqual(warn(0, 'https://there.example/a'), []);
  assert.deepEqual(warn(3, 'https://there.example/a'), [{ ...notice, message: describe(THREE) }]);
  assert.deepEqual(warn(4, 'https://there.example/a'), [{ ...notice, message: describe(`${THREE} and more`) }]);
});

test('an article without a canonical URL is named by its own address', () => {
  assert.deepEqual(warn(1, null), [
    {
      code: 'canonical_clash',
      path: 'canonical_url',
      message: `Public articles of other authors use the address of this article, https://here.example/own, as their canonical URL: https://here.example/post-1 by author-1. ${EFFECT} If it is not the original of their text, write to the operator of this site.`,
    },
  ]);
});

test('only a taken slug is a reason to try another one', () => {
  const violation = (constraint: string) => Object.assign(new Error('duplicate key'), { code: '23505', constraint });
  assert.equal(isSlugRace(violation('articles_slug_key')), true);
  assert.equal(isSlugRace(violation('articles_pkey')), false);
  assert.equal(isSlugRace(new Error('articles_slug_key')), false);
});

test('requests with other parts, or with the same text in other parts, have other hashes', () => {
  const hashes = [['a', 'b'], ['ab'], ['a', 'b', null]].map((parts) => hashRequest(parts).toString('hex'));
  assert.equal(new Set(hashes).size, 3);
  assert.deepEqual(hashRequest(['a', 'b']), hashRequest(['a', 'b']));
});
