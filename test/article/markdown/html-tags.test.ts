/** Tests where raw HTML has tags, attributes and comments, as an HTML parser finds them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HtmlBlockEnds } from '../../../article/markdown/html/html-block-ends.ts';
import { getInnerText, listAttributes, readTag, scanTags } from '../../../article/markdown/html/html-tags.ts';

/** Each token as its kind, name and text; `/` marks a self-closing tag. */
const scan = (html: string) =>
  scanTags(html).map(({ kind, name, start, end, isSelfClosing }) =>
    [kind, name, html.slice(start, end), ...(isSelfClosing ? ['/'] : [])].join('|'),
  );

test('tags, comments and loose markup are found in order', () => {
  for (const [html, ...tokens] of [
    ['a < b <1 <é', ''],
    ['<P>x</p >', 'start|p|<P>', 'end|p|</p >'],
    ['<br/><br /><br / x>', 'start|br|<br/>|/', 'start|br|<br />|/', 'start|br|<br / x>'],
    ['<a href=/>', 'start|a|<a href=/>'],
    ['<a title="x > y" b=\'>\'>', 'start|a|<a title="x > y" b=\'>\'>'],
    ['<a-b.c_d>', 'start|a-b.c_d|<a-b.c_d>'],
    ['<a b="c', 'loose||<'],
    ['<a <b>', 'start|a|<a <b>'],
    ['<!-- x > y --><!-- z --!>', 'comment||<!-- x > y -->', 'comment||<!-- z --!>'],
    ['<!--><!--->', 'comment||<!-->', 'comment||<!--->'],
    ['<!-- x', 'loose||<'],
    ['<!DocType html>', 'comment||<!DocType html>'],
    ['<!doctype html', 'loose||<'],
    ['<?php </ <!x', 'loose||<', 'loose||<', 'loose||<'],
    ['<script><b></script><i>', 'start|script|<script>', 'end|script|</script>', 'start|i|<i>'],
    ['<textarea><b></textareas></TEXTAREA >', 'start|textarea|<textarea>', 'end|textarea|</TEXTAREA >'],
    ['<title/><b>', 'start|title|<title/>|/', 'start|b|<b>'],
    ['<style><b>', 'start|style|<style>', 'start|b|<b>'],
    ...['xmp', 'iframe', 'noembed', 'noframes', 'title', 'style'].map((name): [string, ...string[]] => [
      `<${name}><b></${name}>`,
      ...[`start|${name}|<${name}>`, `end|${name}|</${name}>`],
    ]),
  ] as [string, ...string[]][])
    assert.deepEqual(scan(html), tokens.filter(Boolean), html);
});

test('attributes with a value are found with their names and quotes', () => {
  for (const [html, attributes] of [
    [
      '<a B="c" d = \'e\' f=g h i="">',
      [
        ['b', 'c', true],
        ['d', 'e', true],
        ['f', 'g', false],
        ['i', '', true],
      ],
    ],
    ['<a/b=c/d=e>', [['b', 'c/d=e', false]]],
    ['<a =b=c d>', [['=b', 'c', false]]],
    ['<a>', []],
    [
      '<a b="c"d=e>',
      [
        ['b', 'c', true],
        ['d', 'e', false],
      ],
    ],
  ] as const) {
    const tag = readTag(html);
    assert.ok(tag, html);
    const found = listAttributes(html, tag).map(({ name, start, end, isQuoted }) => [
      name,
      html.slice(start, end),
      isQuoted,
    ]);
    assert.deepEqual(found, attributes, html);
  }
  assert.equal(readTag('x<a>'), null);
});

test('the inner text of an element has neither tags nor comments', () => {
  assert.equal(getInnerText('div', 'a<b>c</b><!-- d -->e<?f'), 'a c  e<?f');
  assert.equal(getInnerText('script', 'a<b>c'), 'a<b>c');
});

test('an HTML block begins where its end exists, and a script includes its blank lines', () => {
  const canBegin = (source: string) => new HtmlBlockEnds(source).canBegin(0);
  for (const source of [
    ...['<div>', '<pre>\nx\n</pre>', '<PRE\n></pre>', '<!-- x -->', '<?x ?>', '<![CDATA[ x ]]>', '<!doctype html>'],
    ...['<script >x</script>', '<style>x</STYLE>', '<textarea>x</textarea>', '<preface>'],
  ])
    assert.equal(canBegin(source), true, source);
  for (const source of [
    ...['<pre>', '<script>\n<script>\n</script>', '<pre /></pre>', '<!-- x', '<?x', '<![CDATA[ x', '<!x>', '<!doctype'],
  ])
    assert.equal(canBegin(source), false, source);
  const ends = (source: string) => new HtmlBlockEnds(source).isEndedByBlankLine(0);
  assert.deepEqual(['<div>', '<pre>', '<!--', '<?', '<!x', '<prefix>'].map(ends), [
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
  const source = '<div>\n<script>\n\n</script>\n\nText <script>\n\n</script>';
  const blocks = new HtmlBlockEnds(source);
  const blanks = [...source.matchAll(/\n(?=\n)/g)].map(({ index }) => index + 1);
  assert.deepEqual(
    blanks.map((blank) => blocks.canEnd(0, blank)),
    [false, true, true],
  );
});
