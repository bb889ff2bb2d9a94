import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Candidate, matchArticle, titleKey, type WantedKeys } from '../../article/identity/match.ts';

const key = fc.constantFrom('a', 'b', 'c');
const optionalKey = fc.option(key, { nil: null });

const wantedKeys: fc.Arbitrary<WantedKeys> = fc.record({
  externalId: optionalKey,
  slug: optionalKey,
  canonicalKey: optionalKey,
  titleKey: key,
});

const candidates: fc.Arbitrary<Candidate[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    externalId: optionalKey,
    slug: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    givenSlug: optionalKey,
    formerSlug: fc.constant(null),
    titleKey: key,
    givenCanonicalUrl: optionalKey,
    canonicalKey: key,
  }),
  { maxLength: 5, selector: (candidate) => candidate.slug },
);

test('two given ids that differ never meet', () => {
  fc.assert(
    fc.property(wantedKeys, candidates, (wanted, list) => {
      const match = matchArticle(wanted, list);
      if (match && wanted.externalId !== null && match.externalId !== null) {
        assert.ok(match.externalId === wanted.externalId || match.id === wanted.externalId);
      }
    }),
  );
});

test('id comes before slug, slug before canonical URL, canonical URL before title', () => {
  fc.assert(
    fc.property(wantedKeys, candidates, (wanted, list) => {
      const match = matchArticle(wanted, list);
      const open = list.filter((c) => wanted.externalId === null || c.externalId === null);
      if (wanted.externalId !== null && list.some((c) => c.externalId === wanted.externalId)) {
        assert.equal(match?.externalId, wanted.externalId);
      } else if (wanted.slug !== null && open.some((c) => c.slug === wanted.slug)) {
        assert.equal(match?.slug, wanted.slug);
      } else if (wanted.canonicalKey !== null && open.some((c) => c.canonicalKey === wanted.canonicalKey)) {
        assert.ok(match?.canonicalKey === wanted.canonicalKey || match?.givenSlug === wanted.slug);
      }
    }),
  );
});

test('what is published again with the very same keys finds the same article', () => {
  fc.assert(
    fc.property(wantedKeys, (wanted) => {
      const stored: Candidate = {
        id: 'an-id',
        externalId: wanted.externalId,
        slug: wanted.slug ?? 'from-the-title',
        givenSlug: wanted.slug,
        formerSlug: null,
        titleKey: wanted.titleKey,
        givenCanonicalUrl: wanted.canonicalKey,
        canonicalKey: wanted.canonicalKey ?? 'self:from-the-title',
      };
      assert.equal(matchArticle(wanted, [stored]), stored);
    }),
  );
});

test('titles are compared with case and white space folded', () => {
  assert.equal(titleKey('  The\tQUICK\n fox '), titleKey('the quick fox'));
  assert.notEqual(titleKey('the quick fox'), titleKey('the quick foxes'));
});
