import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parseGfm } from '../../../article/markdown/parse-markdown.ts';

const whole = unified().use(remarkParse).use(remarkGfm).freeze();

/** The tree without positions and recorded destinations. */
function outline(node: Nodes): unknown {
  const { type } = node;
  const own = [type, 'value' in node ? node.value : null, 'url' in node ? node.url : null];
  return 'children' in node ? [...own, node.children.map(outline)] : own;
}

test('omitting constructs that cannot match changes no tree: every kind of address is found in any place', () => {
  const addresses = ['http://a.example/x', 'HTTPS://A.example', 'www.a.example', 'WWW.A.example.', 'a@b.example'];
  const others = ['mailto:a@b.example', 'xmpp:a@b.example/c', 'no address', 'w.w.w', 'a@', '://', '|', 'http:/a.b'];
  const frames = [
    '@',
    '*@*',
    '> - @',
    '# @',
    '[@](/x)',
    '[text](/x) @',
    '| a |\n|---|\n| @ |',
    '`@`',
    '@[^1]\n\n[^1]: @',
  ];
  for (const address of [...addresses, ...others]) {
    for (const frame of frames) {
      const text = frame.replaceAll('@', `see ${address}`);
      assert.deepEqual(outline(parseGfm(text)), outline(whole.parse(text)), text);
    }
  }
});
