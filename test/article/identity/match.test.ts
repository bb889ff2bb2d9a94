import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildTitleKey, type MatchCandidate, type MatchKeys, matchArticle } from '../../../article/identity/match.ts';
import { runs } from '../../support/property-runs.ts';

const key = fc.constantFrom('a', 'b', 'c');
const optionalKey = fc.option(key, { nil: null });

const givenKeys: fc.Arbitrary<MatchKeys> = fc.record({
  externalId: optionalKey,
  slug: optionalKey,
  canonicalKey: optionalKey,
  titleKey: key,
  isTitleFromFileName: fc.boolean(),
  source: fc.option(fc.record({ repository: optionalKey, path: key }), { nil: null }),
});

const candidates: fc.Arbitrary<MatchCandidate[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    externalId: optionalKey,
    slug: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    requestedSlug: optionalKey,
    formerSlug: optionalKey,
    titleKey: key,
    requestedCanonicalUrl: optionalKey,
    canonicalKey: key,
    sourceRepository: optionalKey,
    sourcePath: optionalKey,
  }),
  { maxLength: 5, selector: (candidate) => candidate.slug },
);

test('articles with different author ids never match', () => {
  fc.assert(
    fc.property(givenKeys, candidates, (keys, list) => {
      const match = matchArticle(keys, list);
      if (match && keys.externalId !== null && match.externalId !== null) {
        assert.ok(match.externalId === keys.externalId || match.id === keys.externalId);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('id precedes slug, slug precedes canonical URL, and that precedes title; of equal matches the oldest wins', () => {
  fc.assert(
    fc.property(givenKeys, candidates, (keys, list) => {
      const hasSameId = (c: MatchCandidate) => keys.externalId !== null && c.externalId === keys.externalId;
      const isOpen = (c: MatchCandidate) => keys.externalId === null || c.externalId === null;
      const isSame = (one: string | null, other: string | null) => one !== null && one === other;
      const differs = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;
      const canonical = (c: MatchCandidate) => (c.requestedCanonicalUrl === null ? null : c.canonicalKey);
      const isOfSource = (c: MatchCandidate) =>
        keys.source !== null && c.sourcePath === keys.source.path && c.sourceRepository === keys.source.repository;
      const isNamedAlike = (c: MatchCandidate) =>
        c.titleKey === keys.titleKey &&
        (!keys.isTitleFromFileName || c.sourcePath === null || isOfSource(c)) &&
        !differs(c.requestedSlug, keys.slug) &&
        !differs(canonical(c), keys.canonicalKey);
      const ways: ((c: MatchCandidate) => boolean)[] = [
        hasSameId,
        (c) => isOpen(c) && isSame(c.slug, keys.slug),
        (c) => isOpen(c) && isSame(c.requestedSlug, keys.slug),
        (c) => isOpen(c) && keys.slug !== null && isSame(c.formerSlug, keys.slug),
        (c) => isOpen(c) && isSame(c.canonicalKey, keys.canonicalKey),
        (c) => isOpen(c) && isNamedAlike(c) && isOfSource(c),
        (c) => isOpen(c) && isNamedAlike(c) && c.externalId === null && keys.externalId === null,
        (c) => isOpen(c) && isNamedAlike(c),
      ];
      const ranked = list.map((c) => ({ c, rank: ways.findIndex((way) => way(c)) })).filter(({ rank }) => rank >= 0);
      const [nearest] = ranked.toSorted((one, other) => one.rank - other.rank);
      assert.equal(matchArticle(keys, list), nearest?.c ?? null);
    }),
    { numRuns: runs(300) },
  );
});

test('removing an article that does not match does not change the match', () => {
  fc.assert(
    fc.property(givenKeys, candidates, (keys, list) => {
      const match = matchArticle(keys, list);
      for (const other of list.filter((c) => c !== match)) {
        assert.equal(
          matchArticle(
            keys,
            list.filter((c) => c !== other),
          ),
          match,
        );
      }
    }),
    { numRuns: runs(200) },
  );
});

test('publishing again with the same keys finds the same article', () => {
  fc.assert(
    fc.property(givenKeys, (keys) => {
      const stored: MatchCandidate = {
        id: 'an-id',
        externalId: keys.externalId,
        slug: keys.slug ?? 'from-the-title',
        requestedSlug: keys.slug,
        formerSlug: null,
        titleKey: keys.titleKey,
        requestedCanonicalUrl: keys.canonicalKey,
        canonicalKey: keys.canonicalKey ?? 'self:from-the-title',
        sourceRepository: keys.source?.repository ?? null,
        sourcePath: keys.source?.path ?? null,
      };
      assert.equal(matchArticle(keys, [stored]), stored);
    }),
    { numRuns: runs(100) },
  );
});

test('titles are compared with case and white space folded', () => {
  assert.equal(buildTitleKey('  The\tQUICK\n fox '), buildTitleKey('the quick fox'));
  assert.notEqual(buildTitleKey('the quick fox'), buildTitleKey('the quick foxes'));
});

const candidate: MatchCandidate = {
  ...{ id: 'own', externalId: null, slug: 'stored', requestedSlug: null, formerSlug: null },
  ...{ titleKey: 'title', requestedCanonicalUrl: null, canonicalKey: 'self:stored' },
  ...{ sourceRepository: null, sourcePath: null },
};
const defaultKeys: MatchKeys = {
  ...{ externalId: null, slug: null, canonicalKey: null, titleKey: 'title' },
  ...{ isTitleFromFileName: false, source: null },
};

test('equal titles do not match if both sides have slugs or canonical URLs that differ', () => {
  const matches = (keys: Partial<MatchKeys>, row: Partial<MatchCandidate>) =>
    matchArticle({ ...defaultKeys, ...keys }, [{ ...candidate, ...row }]) !== null;
  assert.equal(matches({}, {}), true);
  assert.equal(matches({ slug: 'one' }, { requestedSlug: 'two' }), false);
  assert.equal(matches({ slug: 'one' }, {}), true);
  const named = { requestedCanonicalUrl: 'https://a.example/two', canonicalKey: 'https://a.example/two' };
  assert.equal(matches({ canonicalKey: 'https://a.example/one' }, named), false);
  assert.equal(matches({ canonicalKey: 'https://a.example/one' }, {}), true);
});

test('an article is found by its former address', () => {
  const moved = { ...candidate, titleKey: 'another', formerSlug: 'before' };
  assert.equal(matchArticle({ ...defaultKeys, slug: 'before' }, [moved])?.id, 'own');
  assert.equal(matchArticle({ ...defaultKeys, slug: 'never' }, [moved]), null);
});

test('a title that comes from the file name matches only an article whose source is equal or unknown', () => {
  const source = { repository: 'github.com/ann/blog', path: 'a/post/index.md' };
  const fromFileName: MatchKeys = { ...defaultKeys, isTitleFromFileName: true, source };
  const own = { ...candidate, id: 'same', sourceRepository: source.repository, sourcePath: source.path };
  const others = [
    { ...own, id: 'other path', sourcePath: 'b/post/index.md' },
    { ...own, id: 'other repository', sourceRepository: 'github.com/ann/notes' },
    { ...own, id: 'no repository', sourceRepository: null },
  ];
  assert.equal(matchArticle(fromFileName, others), null);
  assert.equal(matchArticle(fromFileName, [...others, candidate])?.id, candidate.id);
  assert.equal(matchArticle(fromFileName, [candidate, own])?.id, 'same', 'an equal source before an unknown one');
  assert.equal(matchArticle({ ...fromFileName, source: null }, [own]), null);
  assert.equal(
    matchArticle({ ...defaultKeys, source }, others)?.id,
    'other path',
    'a title that was written decides alone',
  );
  assert.equal(matchArticle({ ...fromFileName, titleKey: 'renamed' }, [own]), null, 'a source finds nothing by itself');
});
