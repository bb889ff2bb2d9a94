/** Cursors of the posts of an import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameList, writeCursor } from '../../../api/web/lists/cursor.ts';
import { startTestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { addImport } from '../../support/api/imports.ts';

const ITEMS = `query ($id: ID!, $after: String) { import(id: $id) {
  items(first: 2, after: $after) { edges { cursor } pageInfo { hasNextPage } } } }`;

test('a forged cursor of the posts of an import is rejected (A49)', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const id = await addImport(api.db, api.author.id, 3);
  const forge = (number: unknown) => writeCursor(nameList(['importItems', id]), { number });
  for (const number of [-(2 ** 40), -(2 ** 31) - 1, 2 ** 31, Number.MIN_SAFE_INTEGER, 1.5, '1', null]) {
    const { code, text } = await runGraphql(api, api.author.id, ITEMS, { id, after: forge(number) });
    assert.equal(code, 'BAD_CURSOR', `${number}: ${text}`);
  }
  for (const [number, count] of [
    [-(2 ** 31) + 1, 2],
    [1, 2],
    [2, 1],
    [2 ** 31 - 1, 0],
  ]) {
    const { data, text } = await runGraphql(api, api.author.id, ITEMS, { id, after: forge(number) });
    assert.equal(data?.import.items.edges.length, count, `${number}: ${text}`);
  }
});
