import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { TooComplexError } from '../../../article/errors.ts';
import { renderComment } from '../../../article/render/render-comment.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { SITE } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

/** Finds images, headings, and elements with an id. */
function findPartsOfPage(html: string): string[] {
  const found: string[] = [];
  visit(unified().use(rehypeParse, { fragment: true }).parse(html), 'element', ({ tagName, properties }) => {
    if (/^(?:img|picture|h\d)$/.test(tagName) || properties.id !== undefined) found.push(tagName);
  });
  return found;
}

const render = (body: string) => renderComment(body, SITE);

test('a comment is rendered as Markdown', () => {
  const { html } = render('Some *words* with `code`, a list\n\n- [x] done\n\n```js\nlet a = 1;\n```\n\n> quoted\n');
  for (const part of [
    '<em>words</em>',
    '<code>code</code>',
    'type="checkbox"',
    'class="language-js"',
    '<blockquote>',
  ]) {
    assert.match(html, new RegExp(part));
  }
});

test('every link is marked as not endorsed by the site', () => {
  const { html } = render(
    'https://a.example [b](https://b.example) [c](/c) <a href="https://d.example" rel="dofollow" target="_top">d</a> ' +
      `[e](${SITE}/e) ![f](https://f.example/f.png) {% embed https://g.example/ %}`,
  );
  const links = html.match(/<a [^>]*>/g) ?? [];
  assert.ok(links.length >= 6, html);
  for (const link of links) assert.match(link, / rel="nofollow ugc noopener"/, link);
});

test('images become links, so that loading them does not reveal readers', () => {
  const { html } = render(
    '![alt](https://a.example/1.png) ![](https://a.example/2.png) ![x](data:image/png;base64,AAAA) ' +
      '<picture><source srcset="https://a.example/3.png"><img src="https://a.example/4.png" srcset="https://a.example/5.png"></picture>',
  );
  assert.doesNotMatch(html, /<(?:img|picture|source)/);
  assert.match(html, /<a href="https:\/\/a\.example\/1\.png" rel="[^"]+">alt<\/a>/);
  assert.match(html, />image<\/a>/);
});

test('a comment adds no headings, no ids and no links to ids to the page', () => {
  const { html } = render(
    '# Title\n\n<h2 id="x">Two</h2>\n\nA note[^1] and [up](#title).\n\n[^1]: The *note*.\n\n<p id="comments">x</p>',
  );
  assert.doesNotMatch(html, /<h\d|\bid=|href="#|aria-describedby|class="(?:sr-only|footnotes)/);
  assert.match(html, /<strong>Title<\/strong>/);
  assert.match(html, /The <em>note<\/em>/);
});

test('a comment is a question if its own words contain one', () => {
  for (const body of ['Why?', 'Does it work?\n\nFor me not.', '- first?', 'なぜですか？', 'لماذا؟', '(really?)']) {
    assert.equal(render(body).isQuestion, true, body);
  }
  for (const body of [
    'No.',
    '> Why?\n\nBecause.',
    '`a ? b : c`',
    '```\nwhy?\n```',
    'https://a.example/?q=1',
    'x ?= 1',
  ]) {
    assert.equal(render(body).isQuestion, false, body);
  }
});

test('a comment without visible content is empty', () => {
  for (const body of [
    '',
    '   ',
    '<!-- nothing -->',
    '<script>alert(1)</script>',
    '<style>p{}</style>',
    '---',
    '&nbsp;',
  ]) {
    assert.equal(render(body).isEmpty, true, body);
  }
  for (const body of ['a', '![](https://a.example/a.png)', '$x$', '`x`'])
    assert.equal(render(body).isEmpty, false, body);
});

const fixtures = sharedPath('hostile/dompurify-fixtures.json');
test('no hostile payload survives in a comment, alone, in a quotation or next to Markdown (A8)', {
  skip: fixtures.skip,
}, () => {
  const payloads = (JSON.parse(readFileSync(fixtures.path, 'utf8')) as { payload: string }[]).map(
    ({ payload }) => payload,
  );
  assert.ok(payloads.length > 200);
  for (const payload of payloads) {
    const quoted = payload.replace(/^/gm, '> ');
    for (const body of [
      payload,
      quoted,
      `Some *text* with ${payload}\n\n- ${payload}\n`,
      `[a](${payload}) ![b](${payload} "${payload}")`,
    ]) {
      const { html } = render(body);
      assert.deepEqual(findDangers(html), [], `${payload}\ngave\n${html}`);
      assert.deepEqual(findPartsOfPage(html), [], payload);
    }
  }
});

const crlf = sharedPath('hostile/crlf.txt');
test('payloads with line breaks stay text', { skip: crlf.skip }, () => {
  for (const line of readFileSync(crlf.path, 'utf8').split('\n')) {
    for (const body of [line, `[a](https://a.example${line})`, `<a href="https://a.example${line}">a</a>`]) {
      assert.deepEqual(findDangers(render(body).html), [], body);
    }
  }
});

test('the longest comments with marks that are slow to parse are rejected or rendered in bounded time (A25)', () => {
  for (const unit of ['[', '*a_', '> ', '![', '<a ', '$x', '- ', '|a', '`', '\\(', '{% ', ':::', '[^1]:']) {
    const begin = performance.now();
    try {
      render(unit.repeat(Math.floor(10_000 / unit.length)));
    } catch (error) {
      assert.ok(error instanceof TooComplexError, `${unit}: ${error}`);
    }
    assert.ok(performance.now() - begin < 5_000, `${unit} took ${performance.now() - begin} ms`);
  }
});
