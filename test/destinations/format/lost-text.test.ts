/**
 * Bodies for every destination contain the text of the article page, regardless of HTML tags in it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { renderArticle } from '../../../article/derive.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { read, SITE, withFrontmatter } from '../../article/support/documents.ts';
import { listWords, tagDocuments } from '../../article/support/tag-documents.ts';
import { runs } from '../../support/property-runs.ts';
import { makeArticle } from '../destination-harness.ts';

const HTML: Platform[] = ['medium', 'wordpress', 'ghost'];
const MARKDOWN: Platform[] = ['forem', 'hashnode'];

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);
const html = unified().use(rehypeParse, { fragment: true });

/** Returns the text that readers see there, by independent CommonMark and HTML parsers. */
function readAsPlatform(platform: Platform, body: string): string {
  const isMarkdown = MARKDOWN.includes(platform);
  const tree = isMarkdown ? markdown.runSync(markdown.parse(body)) : html.parse(body);
  const unseen = 'script style template svg math object noembed noframes xmp iframe video audio'.split(' ');
  visit(tree, 'element', (node) => {
    if (unseen.includes(node.tagName)) node.children = [];
    // Platforms drop the tag and show its contents.
    if (node.tagName === 'noscript') node.tagName = 'span';
  });
  return toText(tree as never);
}

/** Returns the longest text in the payload. */
function format(platform: Platform, body: string): string {
  const texts: string[] = [];
  JSON.stringify(
    findDescriptor(platform)?.format(
      makeArticle({
        body,
        title: 't',
        slug: 's',
        tags: [],
        excerpt: 'E',
        canonicalUrl: 'https://a.io/x',
        coverImage: null,
      }),
    ).payload,
    (_key, value: unknown) => {
      if (typeof value === 'string' && value !== 'https://a.io/x') texts.push(value);
      return value;
    },
  );
  return texts.sort((a, b) => b.length - a.length)[0] ?? '';
}

const EXAMPLES = [
  'A line with <template> in prose.',
  'With a <script> tag (this is *important*).',
  '<script> at the start of a line.',
  '<video src="https://a.example/v.mp4" controls />',
  '<script src="https://a.example/x.js" />',
  '<!-- never closed',
  '<?php echo "hello"',
  '> <script>\n>\n> quoted',
  '- <svg>\n- <title> and more',
  '<div>\n<textarea>',
  '<script src="https://a.example/x" /> </ at the start of a line, and </',
  '> <script/> <x y=" at the start of a line',
  '| a | b |\n|---|---|\n| <style> | x |',
];

for (const platform of [...HTML, ...MARKDOWN]) {
  test(`${platform} shows everything after an unclosed tag`, () => {
    for (const example of EXAMPLES) {
      const sent = format(platform, `First.\n\n${example}\n\nLast *words*.\n`);
      const shown = readAsPlatform(platform, sent);
      for (const text of ['First.', 'Last words.']) assert.ok(shown.includes(text), `${example}: ${sent}`);
      const [prose] = /(?:A line|With a|at the start|quoted|and more).*/.exec(example.replaceAll('*', '')) ?? [''];
      assert.ok(shown.includes(prose), `${example}: ${shown}`);
    }
  });
}

test('no platform loses a word that the page shows', () => {
  fc.assert(
    fc.property(tagDocuments, (body) => {
      const { draft } = read(withFrontmatter('title: T', body));
      const expected = listWords(renderArticle(draft, { siteOrigin: SITE }).plainText);
      for (const platform of [...HTML, ...MARKDOWN]) {
        const sent = format(platform, draft.body);
        const words = new Set(listWords(readAsPlatform(platform, sent)));
        const lost = expected.filter((word) => !words.has(word));
        assert.deepEqual(lost, [], `${platform}: ${sent}`);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('Markdown with closed HTML is sent unchanged', () => {
  const body =
    '<details>\n<summary>S</summary>\n\n**in**\n\n</details>\n\nA <b>bold</b> <br> `<template>` \\<script> and $a<b>c$.\n\n<video src="https://a.example/v.mp4"></video>\n';
  assert.equal(format('forem', body).includes('<details>\n<summary>S</summary>\n\n**in**\n\n</details>'), true);
  assert.match(format('forem', body), /A <b>bold<\/b> <br> `<template>` \\<script> and /);
  assert.match(format('hashnode', body), /<video src="https:\/\/a\.example\/v\.mp4"><\/video>/);
});
