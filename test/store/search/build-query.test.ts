/** PostgreSQL queries built from search terms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { parseSearch } from '../../../article/search/parse-search.ts';
import {
  buildExactTitleQuery,
  buildMatchQuery,
  buildRanking,
  buildTitleAndTagsQuery,
  quoteLexeme,
} from '../../../store/search/build-query.ts';
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

const ENGLISH = reading('english', { zebra: "'zebra'", zebras: "'zebra'", the: '', 'a zebra': "'zebra'" });
const SITE = { languageStems: [ENGLISH], prefixWords: 'last word' } as const;
const match = (text: string, options: Parameters<typeof buildMatchQuery>[1] = SITE) =>
  buildMatchQuery(parseSearch(text), options);

test('a site without articles in any language matches nothing', () => {
  assert.equal(match('zebra', { ...SITE, languageStems: [] }), "'rules/none'");
});

for (const [text, query] of [
  ['zebras run', "((('zebras' | ('zebra'))) & (('run')))"],
  ['zebra', "((('zebra':*)))"],
  ['the zebras', "((('the')) & (('zebras':* | ('zebra'))))"],
  ['"zebras"', "((('zebras':* | ('zebra'))))"],
  ['"a zebra"', "(('a' & 'zebra' & (('zebra'))))"],
  ['zebra -run', "((('zebra')) & !(('run')))"],
  ['the zeb', "((('the')) & (('zeb')))"],
  ['the 京', "((('the')) & (('京':*)))"],
] as const) {
  test(`the words “${text}” become a query`, () => assert.equal(match(text), query));
}

test('in an author’s own list, every word matches longer words', () => {
  assert.equal(match('the zeb', { ...SITE, prefixWords: 'every word' }), "((('the':*)) & (('zeb':*)))");
});

test('the words of title and tags are searched without accents, and without excluded words', () => {
  assert.equal(buildTitleAndTagsQuery(parseSearch('crème -run zebr'), SITE), "('named/creme' & 'named/zebr':*)");
  assert.equal(buildExactTitleQuery(parseSearch('Crème -run zebr')), "'title/creme zebr'");
});

test('quotation marks and backslashes in a lexeme are doubled', () => {
  assert.equal(quoteLexeme("it's \\ there"), "'it''s \\\\ there'");
  assert.equal(quoteLexeme('zeb', true), "'zeb':*");
});

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test('the ranking has the stems of each language, without stop words', () => {
  const languageStems = [ENGLISH, reading('french', { zebra: "'zebr'", the: "'the'" })];
  const rank = (join: 'all' | 'any', stems: readonly LanguageStems[] = languageStems) => {
    const ranking = buildRanking(parseSearch('the -run zebra'), { ...SITE, languageStems: stems }, join);
    const { sql, parameters } = ranking.compile(compiler);
    return [sql, ...parameters];
  };
  const cases = 'case rules when $1 then $2::tsquery when $3 then $4::tsquery end';
  const [english, french] = ["('zebra':* | ('zebra'))", "('zebra':* | ('zebr'))"];
  assert.deepEqual(rank('all'), [cases, 'english', `(${english})`, 'french', `(('the') & ${french})`]);
  assert.deepEqual(rank('any'), [cases, 'english', `(${english})`, 'french', `(('the') | ${french})`]);
  assert.deepEqual(rank('all', []), ['$1::tsquery', "'rules/none'"]);
  assert.deepEqual(rank('all', [reading('simple', {})]), [
    'case rules when $1 then $2::tsquery end',
    ...['simple', "'rules/none'"],
  ]);
});
