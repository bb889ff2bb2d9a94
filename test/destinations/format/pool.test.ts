/** Large articles are formatted in threads, so that they do not block a process that delivers. */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliverableArticle } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { createFormatPool } from '../../../destinations/format/pool.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';

const pool = createFormatPool();
after(() => pool.close());

const LARGE = '- an item\n'.repeat(30_000);

test('a large article does not block the event loop, and its result is the same', async () => {
  const adapter = destination('wordpress');
  const large = article('- an item\n\n  with *more*\n\n'.repeat(1_500));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // A timer measures delays. It must run before and after the work that blocks it.
  await sleep(20);
  const formatted = await pool.format(adapter, large, 'ada');
  await sleep(20);
  delay.disable();
  const begin = performance.now();
  assert.deepEqual(formatted, adapter.format(large));
  const inlineMs = performance.now() - begin;
  assert.ok(delay.max / 1e6 < inlineMs / 2, `held up for ${delay.max / 1e6} ms of ${inlineMs} ms`);
});

test('an ordinary article needs no thread', async () => {
  const adapter = { ...destination('forem'), format: () => ({ payload: 'here', losses: [], refusal: null }) };
  assert.deepEqual(await pool.format(adapter, article('text'), 'ada'), { payload: 'here', losses: [], refusal: null });
});

test('an article that takes too long is refused with a message that advises to shorten it', async () => {
  const impatient = createFormatPool({ timeLimitMs: 50 });
  try {
    const formatted = await impatient.format(destination('medium'), article(LARGE), 'ada');
    assert.ok(formatted !== 'busy');
    assert.equal(formatted.refusal?.code, 'too_complex');
    assert.match(formatted.refusal.message, /Medium.*Shorten/);
  } finally {
    await impatient.close();
  }
});

test('an article that waits too long behind large ones returns busy, and the others continue', async () => {
  const crowded = createFormatPool({ timeLimitMs: 200, maxWaitMs: 100 });
  try {
    const adapter = destination('medium');
    const [first, second, third] = await Promise.all(
      ['ada', 'bea', 'cyd'].map((author) => crowded.format(adapter, article(LARGE), author)),
    );
    assert.ok(first !== 'busy' && second !== 'busy');
    assert.equal(third, 'busy');
    const later = await crowded.format(adapter, article('An ordinary paragraph.\n\n'.repeat(1_000)), 'ada');
    assert.ok(later !== 'busy');
  } finally {
    await crowded.close();
  }
});

function destination(platform: Platform): Destination {
  const adapter = findDestination(platform);
  assert.ok(adapter);
  return adapter;
}

function article(body: string): DeliverableArticle {
  return {
    id: '1',
    slug: 'a',
    title: 'A title',
    subtitle: null,
    excerpt: 'An excerpt.',
    tags: ['a'],
    canonicalUrl: 'https://ann.example/a',
    coverImage: null,
    generateToc: false,
    commentsEnabled: true,
    body,
  };
}
