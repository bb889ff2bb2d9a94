/** The payload depends on the article alone, so that an unchanged article is never sent again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDescriptor } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { makeArticle } from '../destination-harness.ts';

const PLATFORMS: Platform[] = ['forem', 'hashnode', 'medium', 'wordpress', 'ghost', 'linkedin'];
const BODIES = [
  'So $x_1$ and\n\n$$\ny^2\n$$\n\n{% youtube dQw4w9WgXcQ %}\n\n%[https://youtu.be/dQw4w9WgXcQ]\n\n> [!NOTE]\n> Words.\n',
  '<figure><img src="https://a.io/x.png" alt="A"><figcaption>B</figcaption></figure>\n\n%% hidden %%\n\nA[^1] @ann\n\n[^1]: Note {{ x }}\n',
  '{% details More %}\n\n- [x] done\n\n{% enddetails %}\n\n{% katex %} x {% endkatex %}\n\n```math\nz\n```\n\n[[Page]]\n',
];
const ARTICLES = BODIES.map((body) => makeArticle({ body, title: 'A title' }));

const formatAll = (articles: typeof ARTICLES, platform: Platform): string[] =>
  articles.map((article) => JSON.stringify(findDescriptor(platform)?.format(article)));

for (const platform of PLATFORMS) {
  test(`${platform} gets the same payload every time, in any order of formatting`, () => {
    const first = formatAll(ARTICLES, platform);
    assert.deepEqual(formatAll(ARTICLES, platform), first);
    assert.deepEqual(formatAll([...ARTICLES].reverse(), platform), [...first].reverse());
    assert.ok(first.every((payload) => payload.length > 100));
  });
}
