/**
 * HTML allows blocks inside inline elements and headings; Markdown does not. Imports and the
 * Markdown for agents preserve both the blocks and the marks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertHtml } from '../../../article/import/html/html-to-markdown.ts';
import { writeMarkdown } from '../../../article/render/write-markdown.ts';
import { SITE } from '../support/documents.ts';

const EXAMPLES: [title: string, html: string, markdown: string][] = [
  ['code in bold text', '<b>one <pre>a\n  b</pre> two</b>', '**one**\n\n```\na\n  b\n```\n\n**two**'],
  [
    'a linked card',
    '<a href="https://a.example/"><h3>T</h3><p>text</p><ul><li>one</li><li>two</li></ul></a>',
    '### [T](https://a.example/)\n\n[text](https://a.example/)\n\n- [one](https://a.example/)\n- [two](https://a.example/)',
  ],
  ['a list in italics', '<i><ul><li>one</li><li>two</li></ul></i>', '- *one*\n- *two*'],
  [
    'a table in bold text',
    '<b><table><tr><th>a</th></tr><tr><td>b</td></tr></table></b>',
    '| **a** |\n| ----- |\n| **b** |',
  ],
  ['a quote in nested marks', '<font><b><del><blockquote>q</blockquote></del></b></font>', '> **~~q~~**'],
  ['the same mark twice', '<b><div><b><p>one</p></b></div></b>', '**one**'],
  [
    'lines of a list in a cell',
    '<table><tr><th><b><ul><li>x</li><li>y</li></ul></b></th></tr></table>',
    '| • **x**<br>• **y** |\n| ------------------ |',
  ],
  ['paragraphs in a raised text', '<sub><p>one</p><p>two</p></sub>', '<sub>one</sub>\n\n<sub>two</sub>'],
  ['code blocks in inline code', '<code><pre>a\n  b</pre></code>', '```\na\n  b\n```'],
  ['a heading in a summary', '<details><summary><b><h3>S</h3></b></summary><p>in</p></details>', '### **S**\n\nin'],
  [
    'a table in a cell',
    '<table><tr><th>x<table><tr><td>in <b>bold</b></td><td>y</td></tr><tr><td>z</td></tr></table>end</th></tr></table>',
    '| x<br>in **bold** y<br>z<br>end |\n| ------------------------------ |',
  ],
  ['blocks in a heading', '<h3><div>one</div><div>two <pre><code>three</code></pre></div></h3>', '### one two `three`'],
  [
    'a rule in a link',
    '<a href="https://a.example/">x<hr>y</a>',
    '[x](https://a.example/)\n\n---\n\n[y](https://a.example/)',
  ],
];

for (const [title, html, markdown] of EXAMPLES) {
  test(`an import preserves ${title}`, () => {
    assert.equal(convertHtml(html, { base: null }), markdown);
  });

  test(`the Markdown for agents preserves ${title}`, () => {
    const written = writeMarkdown(`<div>\n${html}\n</div>\n`, { siteOrigin: SITE, title: 'Title' });
    assert.equal(written.trim().replaceAll('_', '*'), markdown);
  });
}

test('an empty link is removed', () => {
  const html = '<p>one <a href="https://a.example/"> </a><a name="x"></a>two</p>';
  assert.equal(convertHtml(html, { base: null }), 'one two');
  assert.equal(writeMarkdown(html, { siteOrigin: SITE, title: 'Title' }).trim(), 'one two');
});

test('lines of inline code are separated by a space', () => {
  assert.equal(writeMarkdown('<code>one<br>two</code>\n', { siteOrigin: SITE, title: 'Title' }).trim(), '`one two`');
});

test('an article pasted from Google Docs is not bold', () => {
  const html = '<b style="font-weight:normal;" id="docs-internal-guid-1"><p>One</p><ul><li><p>two</p></li></ul></b>';
  assert.equal(convertHtml(html, { base: null }), 'One\n\n- two');
});
