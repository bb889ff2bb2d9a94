/** The OpenAPI document does not change unnoticed. UPDATE_SNAPSHOTS=1 writes it. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startTestApi } from '../../support/api/api.ts';

const snapshot = new URL('./openapi.json', import.meta.url);

test('the OpenAPI document matches its snapshot', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const { servers: _, ...document } = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as Record<
    string,
    unknown
  >;
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env.UPDATE_SNAPSHOTS) await writeFile(snapshot, text);
  assert.equal(text, await readFile(snapshot, 'utf8'));
});
