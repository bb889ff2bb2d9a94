/** PostgreSQL queries built from search terms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch } from '../../../article/search/parse-search.ts';
import { buildMatchQuery } from '../../../store/search/build-query.ts';
import type { LanguageStems } from '../../../store/search/stem-terms.ts';

const reading = (rules: string, stems: Record<string, string>): LanguageStems => ({
  rules,
  stems: new Map(Object.entries(stems)),
});

test('a query contains every word once, however many languages the site has', () => {
  const languageStems = ['danish', 'english', 'french', 'simple'].map((rules) =>
    reading(rules, { common: "'common'" }),
  );
  assert.equal(buildMatchQuery(parseSearch('common'), { languageStems, prefixWords: 'last word' }), "((('common':*)))");
});

test('where languages differ, each article is matched by the stem of its language', () => {
  const languageStems = [
    reading('english', { news: "'news'", and: '' }),
    reading('french', { news: "'new'", and: "'and'" }),
  ];
  const options = { languageStems, prefixWords: 'last word' } as const;
  assert.equal(
    buildMatchQuery(parseSearch('news and'), options),
    "((('news' | (('new') & ('rules/french')))) & (('and')))",
  );
  assert.equal(
    buildMatchQuery(parseSearch('and -news'), options),
    "((('and')) & !(('news' | (('new') & ('rules/french')))))",
  );
});
