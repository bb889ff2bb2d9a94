/** Bodies that no author writes are formatted, and in linear time. */
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

test('a tag that stays text does not keep an embed after it from being sent', () => {
  const article = makeArticle({ body: 'Text.\n\n<Demo>\n{% youtube dQw4w9WgXcQ %}' });
  for (const platform of ['medium', 'wordpress', 'ghost'] as const) {
    const formatted = findDescriptor(platform)?.format(article);
    assert.match(JSON.stringify(formatted?.payload), /<a href=\\"https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ/);
    assert.match(formatted?.losses[0]?.code ?? '', /^embed_/);
  }
});
