import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderArticle } from '../../../article/derive.ts';
import { closeHtml } from '../../../article/markdown/html/close-html.ts';
import { HtmlBlockEnds } from '../../../article/markdown/html/html-block-ends.ts';
import { renderComment } from '../../../article/render/render-comment.ts';
import { writeMarkdown } from '../../../article/render/write-markdown.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';
import { runs } from '../../support/property-runs.ts';
import { read, SITE, withFrontmatter } from '../support/documents.ts';
import { listWords, tagDocuments } from '../support/tag-documents.ts';

test('every word is on the page, in the comment, in the Markdown for agents, or quoted as removed', () => {
  fc.assert(
    fc.property(tagDocuments, (body) => {
      // Skips closed comments: their contents are hidden on purpose.
      fc.pre(!/<!-- never[\s\S]*-->/.test(body));
      const { draft, warnings } = read(withFrontmatter('title: T', body));
      // Long texts are quoted by their beginning.
      fc.pre(!warnings.some(({ message }) => message.includes('…”')));
      const quoted = warnings.flatMap(({ code, message }) => (code === 'text_removed' ? listWords(message) : []));
      const { html, plainText } = renderArticle(draft, { siteOrigin: SITE });
      const expected = listWords(body).filter((word) => !quoted.includes(word));
      const outputs = {
        html,
        plainText,
        agents: writeMarkdown(body, { siteOrigin: SITE, title: 'T' }),
        comment: renderComment(body, SITE).html,
      };
      for (const [name, output] of Object.entries(outputs)) {
        const words = new Set(listWords(decodeLetters(output)));
        assert.deepEqual(
          expected.filter((word) => !words.has(word)),
          [],
          `${name}: ${output}`,
        );
      }
    }),
    { numRuns: runs(120) },
  );
});

/** Next to marks of emphasis, the writer replaces letters with character references. */
function decodeLetters(markdown: string): string {
  return markdown.replace(/&#x([\da-f]{2});/gi, (_reference, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

test('hostile HTML is scanned in linear time (A25)', () => {
  const times = [
    '<',
    '<script>',
    '<script src="',
    '<a b=">"',
    "<a b='",
    '<!--',
    '<video />',
    '<template></template>',
    '<b>',
    '<x ',
    '</x',
    '<?',
    '<![CDATA[',
    'a <b> <script> </b> ',
    '<svg>x</svg>',
    '<div>\n\n',
    '- <script>\n',
    '<script>\n\n',
    '<div>\n<style>\n\n',
    '<div>\n<style>\n</style>\n\n',
    '<div>\n\n\n<style>x</style><style>\n\n\n',
    '> <!--\n\n',
  ].map((mark) => {
    const readUsedMs = startProcessorWatch();
    closeTime(mark.repeat(Math.ceil(100_000 / mark.length)));
    return [mark, readUsedMs()];
  });
  assert.deepEqual(
    times.filter(([, ms]) => Number(ms) > 2_500),
    [],
  );
});

/** Closes the tags as one block of HTML, as one line, and as many blocks. */
function closeTime(html: string): void {
  closeHtml([{ value: html, isBlock: true, scope: 1 }]);
  const tags = html.match(/<[^<]*/g) ?? [];
  closeHtml(tags.map((value) => ({ value, isBlock: false, scope: 1 })));
  closeHtml(tags.map((value, scope) => ({ value, isBlock: true, scope })));
  const ends = new HtmlBlockEnds(html);
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) ends.canBegin(at);
  let start = 0;
  for (let at = html.indexOf('\n\n'); at !== -1; at = html.indexOf('\n\n', at + 1))
    if (ends.canEnd(start, at)) start = at + 2;
}
