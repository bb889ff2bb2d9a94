/** The source of Chromium for tests, and the message if there is none. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findChromium, provideChromium } from '../../../scripts/check/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'courant-chromium-'));
after(() => rmSync(folder, { recursive: true }));

test('CHROMIUM_PATH precedes the PATH and must be a program', () => {
  const program = join(folder, 'chromium');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  assert.equal(findChromium({ PATH: `/nowhere:${folder}` }), program);
  assert.equal(findChromium({ PATH: folder, CHROMIUM_PATH: process.execPath }), process.execPath);
  assert.throws(() => findChromium({ PATH: folder, CHROMIUM_PATH: '/nowhere' }), /CHROMIUM_PATH \(\/nowhere\) is not/);
});

test('without Chromium and a way to install it, browser tests are skipped with the next step', async () => {
  const steps: string[] = [];
  const found = await provideChromium({ env: { PATH: '/nowhere' }, announce: (step) => steps.push(step) });
  assert.deepEqual(Object.keys(found), ['CHROMIUM_ABSENT']);
  assert.match(found.CHROMIUM_ABSENT ?? '', /There is no Chromium .*apt-get install chromium.* CHROMIUM_PATH/);
  assert.match(steps.at(-1) ?? '', /tests with a browser are skipped/);
});
