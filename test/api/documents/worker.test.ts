import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDocumentPool } from '../../../api/documents/pool.ts';
import { hasTimeFor } from '../../../api/documents/worker.ts';

test('an ordinary article is formatted for every platform', () => {
  for (const platform of ['forem', 'hashnode', 'medium', 'wordpress', 'ghost', 'linkedin'] as const) {
    assert.ok(hasTimeFor(platform, { readMs: 3, spentMs: 10 }), platform);
  }
});

test('a large article is not rendered once more for each platform, but its size is still checked', () => {
  const large = { readMs: 1_500, spentMs: 1_500 };
  for (const platform of ['medium', 'wordpress', 'ghost'] as const) assert.equal(hasTimeFor(platform, large), false);
  for (const platform of ['forem', 'hashnode', 'linkedin'] as const) assert.equal(hasTimeFor(platform, large), true);
  assert.equal(hasTimeFor('hashnode', { readMs: 4_500, spentMs: 4_500 }), false);
});

test('an article of 300 KB is read, derived and checked within its time', { timeout: 60_000 }, async (t) => {
  const documents = createDocumentPool();
  t.after(() => documents.close());
  // The thread that is kept warm has loaded its code by then.
  await documents.read({ content: '# Warm', now: new Date() });
  const body = `${'A paragraph with **bold** and a [link](https://example.org/page). '.repeat(40)}\n\n`;
  const content = `---\ntitle: Large\ncross_post: { blogsite_c: true }\n---\n${body.repeat(115)}`;
  const input = { content, now: new Date() };
  const { preflights } = await documents.readAndDerive(
    input,
    { siteOrigin: 'https://courant.example' },
    {
      platforms: [
        ['blogsite_b', 'hashnode'],
        ['blogsite_c', 'medium'],
      ],
      baseUrl: 'https://courant.example',
    },
  );
  assert.equal(preflights?.[0]?.refusal?.code, 'body_too_large');
  assert.equal(preflights?.[1]?.platform, 'medium');
});
