import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTimeFor } from '../../../api/documents/preflight.ts';

test('an ordinary article is formatted for every platform', () => {
  for (const platform of ['forem', 'hashnode', 'medium', 'wordpress', 'ghost', 'linkedin'] as const) {
    assert.ok(hasTimeFor(platform, { readMs: 3, spentMs: 10 }), platform);
  }
});

test('a large article is not rendered again for each platform, but its size is still checked', () => {
  const large = { readMs: 1_500, spentMs: 1_500 };
  for (const platform of ['medium', 'wordpress', 'ghost'] as const) assert.equal(hasTimeFor(platform, large), false);
  for (const platform of ['forem', 'hashnode', 'linkedin'] as const) assert.equal(hasTimeFor(platform, large), true);
  assert.equal(hasTimeFor('hashnode', { readMs: 4_500, spentMs: 4_500 }), false);
});
