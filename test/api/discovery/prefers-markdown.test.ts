/** Tests which `Accept` headers prefer the Markdown alternate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prefersMarkdown } from '../../../api/http-cache/prefers-markdown.ts';
import { runs } from '../../support/property-runs.ts';

test('Markdown is preferred if Accept names it with at least the weight of HTML', () => {
  for (const accept of [
    'text/markdown',
    'TEXT/Markdown',
    'text/markdown, text/html',
    'text/markdown, */*',
    'text/markdown;q=0.9, text/html;q=0.9',
    'text/markdown;q=0.5, text/html;q=0.1, */*;q=0.8',
    'text/markdown;variant=GFM;q=1.000, text/html;q=0.999',
    'text/html;q=0, text/markdown;q=0.001',
    'application/json, text/markdown',
    '\ttext/markdown \t; \tq=0.5 ;\tx="a b"\t, text/html;q=0.4',
    'text/markdown;x="q=0.1", text/html',
    'text/markdown;q="0.5", text/html;q=0.4',
    'text/markdown;Q=0.5;x=y, text/html;q=0.4',
    'text/markdown;q=1., text/html',
    'text/markdown;q=0.5, text/html;q=0.1, text/html;q=0.4',
    "text/markdown, !#$%&'*+.^_`|~-/x, a/b",
    `text/markdown, a/${'b'.repeat(983)}`,
  ])
    assert.equal(prefersMarkdown(accept), true, accept);
});

test('browsers, crawlers and malformed Accept headers get the page', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/*',
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/markdown;q=0.5, text/html',
    'text/markdown;q=0.5, text/*',
    'text/markdown;q=0.5, */*',
    'text/markdown;q=0',
    'text/markdown;q=0, text/html;q=0',
    'text/markdown;q=1, text/markdown;q=0.1, text/html;q=0.5',
    'text/markdown;q=2',
    'text/markdown;q=-1',
    'text/markdown;q=0.1234',
    'text/markdown;q=',
    'text/markdown;q=nonsense, text/html;q=0.1',
    'text/markdown, nonsense',
    'text/markdown,,',
    'text/markdown; text/html',
    'text/markdowns',
    'text/markdown;\tq=0.4, text/html;q=0.5',
    'text/markdown;x="a',
    'text/markdown;x',
    'text/markdown x',
    'x text/markdown',
    '(text/markdown',
    'text/markdown;q=0.5x, text/html;q=0.1',
    'text/markdown;q=1.0000',
    'text/markdown;q=0.5, text/html;q=0.1, text/html',
    'text/markdown;q=0.5, text/html;q=0.6, */*;q=0.1',
    'text/markdown;q=0.5, text/*;q=0.6, */*;q=0.1',
    `text/markdown, a/${'b'.repeat(984)}`,
    'x-text/markdown',
    `text/markdown, ${'a/b, '.repeat(300)}c/d`,
  ])
    assert.equal(prefersMarkdown(accept), false, accept);
});

test('any Accept header is parsed quickly', () => {
  const part = fc.constantFrom('text/markdown', 'text/html', ';', 'q=', '0.5', '"', ',', ' ', '\t', '*/*', '1', '=');
  fc.assert(
    fc.property(fc.string({ unit: part, maxLength: 400 }), (accept) => {
      const begun = performance.now();
      assert.equal(typeof prefersMarkdown(accept), 'boolean');
      assert.ok(performance.now() - begun < 5_000);
    }),
    { numRuns: runs(100) },
  );
});
