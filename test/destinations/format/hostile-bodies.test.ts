/** The formats take linear time, whatever the body. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDescriptor } from '../../../destinations/registry.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';
import { makeArticle } from '../destination-harness.ts';

const SIZE = 400_000;
const UNITS = ['%% a ', '~', '`~', '<b><i>', '<br>', '</span><span>', '[a]: <b>\n'];

for (const unit of UNITS)
  test(`400 KB of ${JSON.stringify(unit)} are formatted for Forem within seconds (A25)`, () => {
    const readUsedMs = startProcessorWatch();
    findDescriptor('forem')?.format(makeArticle({ body: unit.repeat(SIZE / unit.length) }));
    assert.ok(readUsedMs() < 4_000, `${readUsedMs()} ms`);
  });
