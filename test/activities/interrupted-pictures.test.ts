/** A stopping worker aborts the requests of an import. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { copyImages } from '../../activities/import/copy-images.ts';
import { createUnavailableHosts, type ImportStep } from '../../activities/import/step.ts';
import { openTestLedger, type TestLedger } from '../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('a picture whose request was aborted by a stopping worker is fetched later, even after the last pause', async () => {
  const authorId = await ledger.addAuthor();
  const now = () => new Date();
  const unavailableHosts = createUnavailableHosts();
  const step = {
    deps: { db: ledger.db, baseUrl: 'https://here.example', now },
    context: { timeoutMs: 1_000, signal: AbortSignal.abort(), now, allowPrivate: true },
    pace: { wait: async () => undefined },
    unavailableHosts,
  } as unknown as ImportStep;
  const importId = '7b0a3c52-6f0a-4c63-9d3a-111111111111';
  const address = 'http://127.0.0.1:9/picture.png';
  const retryPlan = { pauseMs: 0, forBusy: false, forSilent: false };
  const copied = await copyImages(step, { importId, authorId, addresses: [address], retryPlan });
  assert.deepEqual([copied.kind, 'fault' in copied && copied.fault], ['later', 'ours']);
  assert.equal(unavailableHosts.has(importId, address), false);
});
