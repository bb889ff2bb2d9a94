import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Element } from 'hast';
import { describeText } from '../../../article/describe/describe-text.ts';
import { read, withFrontmatter } from '../support/documents.ts';

/** Texts that make backtracking patterns slow. */
const PARTS =
  'A |Aa|[|![|[a] |a.a|A’Ab|Hello |Q: a? |{{ |编程 |です。|(|A of |e.g. |1.1|👩‍👩‍👧‍👦|a • |Dear a |<!--|https://a.example/ |a, |"“'.split(
    '|',
  );

test('describing any text takes linear time', () => {
  const { draft } = read(withFrontmatter('title: T'));
  for (const part of PARTS) {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    const tree = { type: 'root' as const, children: [element('p', text), element('h2', 'FAQ'), element('p', text)] };
    const facts = { headings: [], outboundReferences: [], inlineCode: [text], codeBlocks: 0 };
    const begin = performance.now();
    describeText({ draft, markdown: { type: 'root', children: [] }, tree, plainText: text, language: null, facts });
    const took = performance.now() - begin;
    // Less than a second on an idle machine; quadratic time would be minutes.
    assert.ok(took < 10_000, `${JSON.stringify(part)}: ${took.toFixed(0)} ms`);
  }
});

function element(tagName: string, value: string): Element {
  return { type: 'element', tagName, properties: {}, children: [{ type: 'text', value }] };
}
