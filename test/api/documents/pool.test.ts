import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDocumentPool } from '../../../api/documents/pool.ts';
import { deriveArticle } from '../../../article/derive.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { NOW, read, SITE, withFrontmatter } from '../../article/support/documents.ts';

const pool = createDocumentPool({ timeLimitMs: 1_500, maxThreads: 2 });
after(() => pool.close());

const options = { siteOrigin: SITE };
/** Within every limit that is checked beforehand, and keeps the parser busy for a minute. */
const SLOW = `# T\n\n${'2. *a_\n'.repeat(40_000)}`;

test('a document is read and derived in one round trip, with the same result as without the pool', async () => {
  const content = withFrontmatter(
    'title: T\nscheduled_at: 2027-01-01T00:00:00Z',
    'Text with `code`.\n\n```ts\nlet a = 1;\n```\n',
  );
  const { draft } = read(content);
  const { preflights: _, ...result } = await pool.readAndDerive({ content, now: NOW }, options);
  assert.deepEqual(result, {
    read: { ok: true, draft, warnings: [], bodyLine: 6 },
    derived: await deriveArticle(draft, options),
  });
  assert.deepEqual(await pool.read({ content, now: NOW }), result.read);
  assert.deepEqual(await pool.derive(draft, options), result.derived);
});

test('a refused document has problems and nothing derived', async () => {
  const { read: result, derived } = await pool.readAndDerive(
    { content: withFrontmatter('title: [', 'x'), now: NOW },
    options,
  );
  assert.equal(result.ok, false);
  assert.equal(derived, null);
});

test('a slow document ends at the time limit as too_complex, while others are served', async () => {
  // Both threads run before the clock starts.
  await Promise.all([1, 2].map(() => pool.read({ content: '# T\n\nx', now: NOW })));
  const started = performance.now();
  const slow = assert.rejects(pool.readAndDerive({ content: SLOW, now: NOW }, options), (error) => {
    assert.ok(error instanceof TooComplexError);
    assert.equal(error.code, 'too_complex');
    return true;
  });
  let served = 0;
  while (performance.now() - started < 1_000) {
    const { derived } = await pool.readAndDerive({ content: '# T\n\nSome text.', now: NOW }, options);
    assert.equal(derived?.plainText, 'Some text.');
    served += 1;
  }
  assert.ok(served > 20, `${served} served`);
  await slow;
  const took = performance.now() - started;
  assert.ok(took > 1_400 && took < 3_500, `${took} ms`);
  assert.equal((await pool.read({ content: '# T\n\nAfterwards.', now: NOW })).ok, true);
});

test('a thread that has yet to load the parser does not cost the document its time', async () => {
  const cold = createDocumentPool({ timeLimitMs: 150, maxThreads: 1 });
  try {
    assert.equal((await cold.read({ content: '# T\n\nx', now: NOW })).ok, true);
  } finally {
    await cold.close();
  }
});

test('the time limit does not begin before a thread is free for the document', async () => {
  const one = createDocumentPool({ timeLimitMs: 1_500, maxThreads: 1 });
  try {
    await one.read({ content: '# T\n\nx', now: NOW });
    const results = await Promise.allSettled([
      one.read({ content: SLOW, now: NOW }),
      one.read({ content: SLOW, now: NOW }),
      one.read({ content: '# T\n\nLast.', now: NOW }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
  } finally {
    await one.close();
  }
});

test('a document over a limit is refused at once, with the line (A25)', async () => {
  for (const [mark, line] of [
    ['[', 5],
    ['*a_', 5],
    ['> ', 5],
  ] as const) {
    const started = performance.now();
    await assert.rejects(
      pool.readAndDerive(
        { content: withFrontmatter('title: T', mark.repeat(200_000 / mark.length)), now: NOW },
        options,
      ),
      (error) => {
        assert.ok(error instanceof TooComplexError);
        assert.equal(error.line, line);
        return true;
      },
    );
    assert.ok(performance.now() - started < 500);
  }
});

test('nesting that overflows the renderer is too_complex, and the thread survives', async () => {
  await assert.rejects(
    pool.readAndDerive({ content: withFrontmatter('title: T', '<div>'.repeat(20_000)), now: NOW }, options),
    { code: 'too_complex' },
  );
  assert.equal((await pool.read({ content: '# T\n\nx', now: NOW })).ok, true);
});
