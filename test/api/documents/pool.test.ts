import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDocumentPool, type DocumentPool, DocumentsBusyError } from '../../../api/documents/pool.ts';
import { deriveArticle, renderArticle } from '../../../article/derive.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { NOW, read, SITE, withFrontmatter } from '../../article/support/documents.ts';

const pool = createDocumentPool({ timeLimitMs: 500, maxThreads: 2 });
const short = createDocumentPool({ timeLimitMs: 150, maxWaitMs: 60_000, maxThreads: 1 });
after(() => Promise.all([pool.close(), short.close()]));

const options = { siteOrigin: SITE };
/** Within every limit that is checked before parsing, but takes the parser seconds. */
const SLOW = `# T\n\n${'- a\n\nb\n\n'.repeat(17_000)}`;

test('a document is read and rendered in one round trip and derived in another, with the same result as without the pool', async () => {
  const content = withFrontmatter(
    'title: T\nscheduled_at: 2027-01-01T00:00:00Z',
    'Text with `code`.\n\n```ts\nlet a = 1;\n```\n',
  );
  const { draft } = read(content);
  assert.deepEqual(await readIn(pool, content), {
    preflights: [],
    ...{ ok: true, draft, warnings: [], hints: [], bodyLine: 6 },
    rendered: renderArticle(draft, options),
  });
  assert.deepEqual(await pool.derive('ada', draft, options), await deriveArticle(draft, options));
});

test('the rendering of a publish equals the derived one, except for highlighting and description', async () => {
  const { draft } = read(withFrontmatter('title: T', 'Text with `code`.\n\n## Part\n\n```ts\nlet a = 1;\n```\n'));
  const { html, ...rendered } = renderArticle(draft, options);
  const derived = await deriveArticle(draft, options);
  for (const [field, value] of Object.entries(rendered))
    assert.deepEqual(derived[field as keyof typeof derived], value);
  assert.match(html, /let a = 1;/);
  assert.match(derived.html, /tok-keyword/);
});

test('a rejected document has problems and no rendering', async () => {
  const result = await readIn(pool, withFrontmatter('title: [', 'x'));
  assert.equal(result.ok, false);
  assert.ok(result.problems.length > 0 && !('rendered' in result));
});

test('a slow document ends at the time limit as too_complex while others are served', async () => {
  // Both threads run before the clock starts.
  await Promise.all(['ada', 'bob'].map((author) => readIn(pool, '# T\n\nx', author)));
  const started = performance.now();
  // The limit is processor time, so its end in elapsed time depends on the machine.
  let isSlowOver = false;
  const slow = assert
    .rejects(readIn(pool, SLOW, 'bob'), (error) => {
      assert.ok(error instanceof TooComplexError);
      assert.equal(error.code, 'too_complex');
      return true;
    })
    .finally(() => {
      isSlowOver = true;
    });
  let served = 0;
  while (!isSlowOver) {
    const result = await readIn(pool, '# T\n\nSome text.');
    assert.equal(result.ok && result.rendered.plainText, 'Some text.');
    served += 1;
  }
  assert.ok(served > 20, `${served} served`);
  await slow;
  const took = performance.now() - started;
  assert.ok(took > 450 && took < 20_000, `${took} ms`);
  assert.equal((await readIn(pool, '# T\n\nAfterwards.')).ok, true);
});

test('loading the parser does not count towards the time limit of a document', async () => {
  assert.equal((await readIn(short, '# T\n\nx')).ok, true);
});

test('the time limit begins when a thread starts the document', async () => {
  const results = await Promise.allSettled([
    readIn(short, SLOW, 'ada'),
    readIn(short, SLOW, 'bob'),
    readIn(short, '# T\n\nLast.', 'cyd'),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
});

test('a document above a limit is rejected at once, with the line (A25)', async () => {
  for (const [mark, line] of [
    ['[', 5],
    ['*a_', 5],
    ['> ', 5],
  ] as const) {
    await assert.rejects(readIn(pool, withFrontmatter('title: T', mark.repeat(200_000 / mark.length))), (error) => {
      assert.ok(error instanceof TooComplexError);
      assert.equal(error.line, line);
      return true;
    });
  }
});

test('nesting that overflows the renderer gives too_complex, and the thread survives', async () => {
  await assert.rejects(readIn(pool, withFrontmatter('title: T', '<div>'.repeat(20_000))), { code: 'too_complex' });
  assert.equal((await readIn(pool, '# T\n\nx')).ok, true);
});

test('one author’s ten slow documents do not delay another’s, and those that wait too long are rejected (A28)', async () => {
  const crowded = createDocumentPool({ timeLimitMs: 300, maxWaitMs: 800, maxThreads: 2 });
  try {
    await Promise.all(['ada', 'bob'].map((author) => readIn(crowded, '# T\n\nx', author)));
    const ended: unknown[] = [];
    const note = (error: unknown) => ended.push(error);
    const slow = Array.from({ length: 10 }, () => readIn(crowded, SLOW, 'ada').catch(note));
    const other = await readIn(crowded, '# T\n\nx', 'bob');
    assert.equal(other.ok, true);
    assert.ok(ended.length <= 3, `${ended.length} of ten slow documents were before it`);
    await Promise.all(slow);
    assert.ok(ended.every((error) => error instanceof TooComplexError || error instanceof DocumentsBusyError));
    assert.ok(ended.filter((error) => error instanceof DocumentsBusyError).length >= 5);
  } finally {
    await crowded.close();
  }
});

function readIn(documents: DocumentPool, content: string, author = 'ada') {
  return documents.readAndRender(author, { input: { content, now: NOW }, options });
}
