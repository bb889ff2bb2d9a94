/**
 * Tests that the searches of a publish read only articles that match, in a database without
 * statistics.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { ArticleDraft } from '../../../article/types.ts';
import { buildClashQuery } from '../../../store/articles/canonical-clashes.ts';
import { buildSearch } from '../../../store/articles/publish/find-existing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
let authorId: string;
before(async () => {
  ledger = await openTestLedger();
  authorId = await ledger.addAuthor();
  for (let number = 0; number < 200; number++) await ledger.addArticle(authorId);
});
after(() => ledger.close());

interface Plan {
  'Node Type': string;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The parts of the plan that read all rows of a table, or rows that do not match. */
function listWaste({ Plans: children = [], ...node }: Plan): Plan[] {
  const isWaste = node['Node Type'] === 'Seq Scan' || (node['Rows Removed by Filter'] ?? 0) > 0;
  return [...(isWaste ? [node] : []), ...children.flatMap(listWaste)];
}

async function readWaste({ sql, parameters }: CompiledQuery): Promise<Plan[]> {
  const explain = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]);
  const { rows } = await ledger.db.executeQuery<Record<string, [{ Plan: Plan }]>>(explain);
  const [[{ Plan: plan }]] = Object.values(rows[0] ?? {}) as [[{ Plan: Plan }]];
  return listWaste(plan);
}

test('the search for the article to update reads no article that matches no key', async () => {
  const draft = { title: 'Article 7', slug: 'article-7', externalId: 'seven', canonicalUrl: null } as ArticleDraft;
  const search = buildSearch(ledger.db, { authorId, draft, documentSource: null, baseUrl: '' }, 'article-7');
  assert.deepEqual(await readWaste(search), []);
});

test('the search for canonical clashes reads no other articles', async () => {
  const search = buildClashQuery(ledger.db, { authorId: await ledger.addAuthor(), canonicalKey: 'self:article-7' });
  assert.deepEqual(await readWaste(search), []);
});
