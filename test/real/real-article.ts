/** Creates unique articles for tests against real sites, which are removed there after the test. */
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';

let count = 0;
/** Files run concurrently, each in its own process. */
const run = `${Date.now().toString(36)}${process.pid.toString(36)}`;

/** `sweep` removes the article's posts and tags from a site. */
export function makeRealArticle(
  context: TestContext,
  changes: Partial<DeliverableArticle>,
  sweep: (name: string) => Promise<void>,
): DeliverableArticle {
  count += 1;
  const name = `courant-test-${run}-${count}`;
  context.after(() => sweep(name));
  return {
    id: name,
    slug: name,
    title: `Courant test ${name}`,
    subtitle: null,
    excerpt: 'What it is about.',
    tags: [`${name} R&D`, `${name} C#`],
    canonicalUrl: `https://blog.example.com/${name}`,
    coverImage: null,
    generateToc: false,
    commentsEnabled: true,
    body: `Body of ${name}.\n`,
    ...changes,
  };
}
