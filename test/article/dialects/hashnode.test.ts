import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findImageAttributes } from '../../../article/dialects/inline/image-attributes.ts';
import { derive, listCodes, read, withFrontmatter } from '../support/documents.ts';

const CANONICAL = 'title: T\ncanonical_url: https://me.example/posts/x';

test('an image with attributes after its address, as in Hashnode, is an image', async () => {
  const { html, plainText } = await derive(
    '![A shelf](https://img.example/a.png align="center")\n\n- ![](https://img.example/b.png "Titled" align="left")\n\n> [![c](https://img.example/c_(1).png align="right" width="40")](https://a.example/)\n',
  );
  assert.match(html, /<img src="https:\/\/img\.example\/a\.png" alt="A shelf"/);
  assert.match(html, /<img src="https:\/\/img\.example\/b\.png" alt="" title="Titled"/);
  assert.match(html, /<a href="https:\/\/a\.example\/"[^>]*><img src="https:\/\/img\.example\/c_\(1\)\.png"/);
  assert.doesNotMatch(plainText, /align|\(/);
});

test('the address of such an image is made absolute, and its attributes stay in the source', () => {
  const { draft, warnings } = read(
    withFrontmatter(CANONICAL, '![a](a.png align="center") ![b](/b.png align="left")\n'),
  );
  assert.equal(
    draft.body,
    '![a](https://me.example/posts/a.png align="center") ![b](https://me.example/b.png align="left")\n',
  );
  assert.deepEqual(listCodes(warnings), []);
});

test('such attributes stay unchanged in code, raw HTML and prose', async () => {
  const code = '![a](a.png align="center")';
  const { plainText, html } = await derive(
    `Write \`${code}\` or\n\n~~~\n${code}\n~~~\n\n    ${code}\n\n![b](https://img.example/b.png align="center")\n\nsay (align="center") and [x](y align="left")\n`,
  );
  assert.equal(plainText.split(code).length, 4, plainText);
  assert.equal(html.match(/<img/g)?.length, 1);
  assert.match(plainText, /say \(align="center"\) and \[x\]\(y align="left"\)/);
});

test('a Hashnode embed is a link to its page', async () => {
  const { html, outboundReferences } = await derive(
    '%[https://www.youtube.com/watch?v=abc_def-123]\n\nsee %[https://gist.example/a_(b)?c=d] there, 5%[^1] and `%[https://x.example]`\n\n[^1]: Note.\n',
  );
  assert.match(html, /<p><a href="https:\/\/www\.youtube\.com\/watch\?v=abc_def-123"[^>]*>[^<]*<\/a><\/p>/);
  assert.match(html, /see <a href="https:\/\/gist\.example\/a_\(b\)\?c=d"[^>]*>[^<]*<\/a> there, 5%<sup>/);
  assert.match(html, /<code>%\[https:\/\/x\.example\]<\/code>/);
  assert.equal(outboundReferences.length, 2);
});

test('finding attributes takes linear time', () => {
  const bodies = [
    '![a](b align="c" '.repeat(20_000),
    `![a](${' '.repeat(200_000)}align="center")`,
    '![a](b align="'.repeat(20_000),
    `${'](x align="y")'.repeat(9_000)}`,
    `![a](x${' align="y"'.repeat(30_000)}`,
  ];
  for (const body of bodies) {
    const begin = performance.now();
    findImageAttributes(body);
    assert.ok(performance.now() - begin < 10_000, body.slice(0, 20));
  }
});
