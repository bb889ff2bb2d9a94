/** Tests the size properties of the workflow bundle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorkflows } from '../../temporal/bundle/build-bundle.ts';

test('the source map of the workflow bundle contains no sources', async () => {
  const code = await buildWorkflows({ isTraced: false });
  const [, map = ''] = code.split('//# sourceMappingURL=data:application/json;charset=utf-8;base64,');
  const { mappings, sourcesContent } = JSON.parse(Buffer.from(map, 'base64').toString());
  assert.ok(mappings.length > 10_000);
  assert.equal(sourcesContent, undefined);
});
