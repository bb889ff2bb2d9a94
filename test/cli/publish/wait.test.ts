/** `--wait` ends only when no delivery can change by itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Delivery, OwnArticle } from '../../../cli/commands/deliveries.ts';
import { isDone } from '../../../cli/commands/publish/wait.ts';

const LONG_AFTER_MS = 60_000;

describe('publish --wait', () => {
  function isOver(delivery: Partial<Delivery>, sinceMs = LONG_AFTER_MS): boolean {
    const unchanged = { remoteUrl: null, error: null, errorCode: null, attempts: 1, nextAttemptAt: null };
    const row = { destination: 'blogsite_a', deliveredRevision: 1, withdrawnAt: null, ...unchanged, ...delivery };
    return isDone(['blogsite_a'], { revision: 2, deliveries: [row] } as OwnArticle, sinceMs);
  }

  it('ends if the destination has this revision, or has rejected it', () => {
    assert.equal(isOver({ state: 'delivered', deliveredRevision: 2 }, 0), true);
    assert.equal(isOver({ state: 'failed', errorCode: 'invalid' }), true);
    assert.equal(isOver({ state: 'stale', errorCode: 'invalid' }), true);
  });

  it('continues if the destination has an earlier revision', () => {
    assert.equal(isOver({ state: 'delivered' }), false);
  });

  it('continues between the time at which a retry is due and its beginning', () => {
    assert.equal(isOver({ state: 'stale', errorCode: 'unavailable', nextAttemptAt: '2026-01-01T00:00:00Z' }), false);
    assert.equal(isOver({ state: 'stale' }), false);
  });

  it('does not trust a final state of the first seconds, which may be the one before', () => {
    assert.equal(isOver({ state: 'failed', errorCode: 'invalid' }, 1_000), false);
  });
});
