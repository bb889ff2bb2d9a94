/**
 * HTML that leaves the site's pages has absolute addresses and no colours, which need the style
 * sheet.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHtml } from 'hast-util-to-html';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { deriveArticle } from '../../../article/derive.ts';
import { buildPortableHtml } from '../../../article/discovery/feeds/portable-html.ts';
import { runs } from '../../support/property-runs.ts';
import { read, SITE } from '../support/documents.ts';

const PAGE = `${SITE}/an-article`;

test('links, images and footnotes of an article have the same targets as on its page', async () => {
  const body = [
    'See [the next](../next?a=1&b=2#part), [a part](#part-one), [mail](mailto:a@b.example) and [elsewhere](https://elsewhere.example/x).',
    '![A picture](img/p%20q.png) <img src="/r.png" srcset="https://c.example/1.png 1x, s.png 2x"> <q cite="/source">quoted</q>',
    '## Part one\n\nA note[^1] with `<a href="#not-a-link">` in code.\n\n[^1]: The note.',
  ].join('\n\n');
  const { html } = await deriveArticle(read(`# Title\n\n${body}`).draft, { siteOrigin: SITE });
  const portable = buildPortableHtml(html, PAGE);
  for (const address of [
    `href="${SITE}/next?a=1&#x26;b=2#part"`,
    `href="${PAGE}#part-one"`,
    'href="mailto:a@b.example"',
    'href="https://elsewhere.example/x"',
    `src="${SITE}/img/p%20q.png"`,
    `src="${SITE}/r.png"`,
    `srcset="https://c.example/1.png 1x, ${SITE}/s.png 2x"`,
    `cite="${SITE}/source"`,
    `href="${PAGE}#user-content-fn-1"`,
    '&#x3C;a href="#not-a-link">',
  ]) {
    assert.ok(portable.includes(address), `${address} in ${portable}`);
  }
});

test('each candidate of a srcset is absolute, as the HTML standard separates them', () => {
  const write = (srcset: string) => buildPortableHtml(`<img srcset="${srcset}">`, PAGE);
  assert.equal(write('a 1x,b 2x'), `<img srcset="${SITE}/a 1x,${SITE}/b 2x">`);
  assert.equal(write('a,b.png 1x, c.png, d.png'), `<img srcset="${SITE}/a,b.png 1x, ${SITE}/c.png, ${SITE}/d.png">`);
  assert.equal(
    write(' ,a 1w (2x, 3x),https://c.example/b'),
    `<img srcset=" ,${SITE}/a 1w (2x, 3x),https://c.example/b">`,
  );
});

test('only the colours are removed from code', async () => {
  const code = 'const a: string = `x` + b; // <span class="tok-comment">\n';
  const draft = read(`# Title\n\n\`\`\`ts\n${code}\`\`\`\n\nA <span lang="de">Wort</span>.`).draft;
  const coloured = await deriveArticle(draft, { siteOrigin: SITE });
  const plain = await deriveArticle(draft, { siteOrigin: SITE, highlight: false });
  assert.match(coloured.html, /<span class="tok-/);
  assert.equal(buildPortableHtml(coloured.html, PAGE), buildPortableHtml(plain.html, PAGE));
  assert.match(plain.html, /<span lang="de">/);
});

test('HTML without relative addresses stays unchanged, and any text is accepted', () => {
  const words = fc.string({ unit: 'grapheme' });
  const element = fc
    .record({ text: words, title: words, name: fc.constantFrom('p', 'span', 'a', 'code') })
    .map(({ name, title, text }) => ({
      type: 'element' as const,
      tagName: name,
      properties: { title },
      children: [{ type: 'text' as const, value: text }],
    }));
  fc.assert(
    fc.property(fc.array(element), (children) => {
      const html = toHtml({ type: 'root', children });
      assert.equal(buildPortableHtml(html, PAGE), html);
    }),
    { numRuns: runs(100) },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => typeof buildPortableHtml(text, PAGE) === 'string'),
    { numRuns: runs(100) },
  );
});

test('portable HTML has the same elements and attributes as the safe HTML (A48)', () => {
  const parse = (html: string) =>
    JSON.stringify(unified().use(rehypeParse, { fragment: true }).parse(html), dropPlaces);
  const address = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string(),
    fc.constantFrom('#"x', "x' y", '&amp;', '?a&b'),
  );
  fc.assert(
    fc.property(address, (href) => {
      const html = toHtml({ type: 'element', tagName: 'a', properties: { href }, children: [] });
      const portable = buildPortableHtml(html, PAGE);
      assert.equal(
        parse(portable).replace(/"href":"(?:[^"\\]|\\.)*"/, ''),
        parse(html).replace(/"href":"(?:[^"\\]|\\.)*"/, ''),
      );
    }),
    { numRuns: runs(100) },
  );
});

function dropPlaces(key: string, value: unknown): unknown {
  return key === 'position' || key === 'data' ? undefined : value;
}
