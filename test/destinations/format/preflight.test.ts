/** Pre-flight: losses, refusals and permanent effects, reported before anything is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliverableArticle } from '../../../article/types.ts';
import { listPermanentEffects, MAX_LOSSES, preflight } from '../../../destinations/format/preflight.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';

const ARTICLE: DeliverableArticle = {
  id: 'a',
  slug: 'a',
  title: 'A title',
  subtitle: null,
  excerpt: 'An excerpt.',
  tags: [],
  canonicalUrl: 'https://blog.example.com/a',
  coverImage: null,
  generateToc: false,
  commentsEnabled: true,
  body: 'Text.\n\nA {{ variable }}.\n',
};
const PLATFORMS = Object.values(PLATFORMS_BY_KEY).flat();

test('pre-flight returns one entry per supported platform, in the order requested', () => {
  const known = PLATFORMS.filter((platform) => findDescriptor(platform) !== null);
  const found = preflight(ARTICLE, PLATFORMS, { bodyLine: 1 });
  assert.deepEqual(
    found.map(({ platform }) => platform),
    known,
  );
  assert.ok(found.length >= 2);
});

test('lines refer to the document, and are omitted if the body has other lines', () => {
  const lines = (bodyLine: number | null) =>
    preflight(ARTICLE, ['forem'], { bodyLine })[0]?.losses.map(({ code, line }) => [code, line]);
  assert.deepEqual(lines(10), [['liquid_as_text', 12]]);
  assert.deepEqual(lines(null), [['liquid_as_text', undefined]]);
});

test('losses are limited, and the last entry counts the others', () => {
  const tags = Array.from({ length: 100 }, (_, index) => `tag${index}`);
  const losses = preflight({ ...ARTICLE, tags, body: 'x' }, ['forem'], { bodyLine: 1 })[0]?.losses ?? [];
  assert.equal(losses.length, MAX_LOSSES + 1);
  assert.match(losses.at(-1)?.message ?? '', /76 more/);
});

test('if a format throws, the article is refused, because its delivery would fail', () => {
  const broken = { ...ARTICLE, tags: null as unknown as string[] };
  for (const { refusal, label } of preflight(broken, ['forem', 'hashnode'], { bodyLine: 1 })) {
    assert.equal(refusal?.code, 'format_failed');
    assert.ok(refusal?.message.includes(label));
  }
});

test('a platform that is skipped for lack of time is reported as not checked', () => {
  const canFormat = (platform: string) => platform === 'forem';
  const found = preflight(ARTICLE, ['forem', 'hashnode'], { bodyLine: 1, canFormat });
  assert.deepEqual(
    found.map(({ losses }) => losses.map(({ code }) => code)),
    [['liquid_as_text'], ['not_checked']],
  );
});

test('permanent effects follow from the limits of each platform', () => {
  for (const platform of PLATFORMS) {
    const limits = findDescriptor(platform)?.limits;
    const codes = listPermanentEffects(platform).map(({ code }) => code);
    assert.equal(codes.includes('cannot_update'), limits?.canUpdate === false, platform);
    assert.equal(codes.includes('cannot_withdraw'), ['none', 'delisted'].includes(limits?.withdraw ?? ''), platform);
  }
});
