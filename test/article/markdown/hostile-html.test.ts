import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toHtml } from 'hast-util-to-html';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { deriveArticle } from '../../../article/derive.ts';
import { buildAgentDocument } from '../../../article/discovery/agent-document.ts';
import { formatLlmsFullTxt } from '../../../article/discovery/catalogue.ts';
import { describeArticle } from '../../../article/discovery/description.ts';
import { buildJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { sanitise } from '../../../article/render/render-tree.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { derive, read, SITE, withFrontmatter } from '../support/documents.ts';
import { buildStoredArticle, catalogueSite } from '../support/stored-article.ts';
import { findDangers } from '../support/walk-html.ts';

const { path, skip } = sharedPath('hostile/dompurify-fixtures.json');

test('no DOMPurify payload survives in the page, alone, in a quotation or next to Markdown', {
  skip,
}, async () => {
  const fixtures = JSON.parse(readFileSync(path, 'utf8')) as { payload: string }[];
  assert.ok(fixtures.length > 200);
  const forms = [
    (payload: string) => payload,
    (payload: string) =>
      payload
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    (payload: string) => `# A heading\n\nSome *text* with ${payload} and more.\n\n- an item ${payload}\n`,
    (payload: string) => `[a link](${payload}) ![an image](${payload} "${payload}")\n\n[b]: <${payload}>\n`,
  ];
  for (const { payload } of fixtures) {
    for (const form of forms) {
      const { html } = await derive(form(payload));
      assert.deepEqual(findDangers(html), [], `${payload}\ngave\n${html}`);
    }
  }
});

test('no DOMPurify payload survives in feed, e-mail, JSON-LD, catalogue or description', { skip }, async () => {
  const fixtures = JSON.parse(readFileSync(path, 'utf8')) as { payload: string }[];
  for (const { payload } of fixtures) {
    const frontmatter = `title: ${JSON.stringify(`T ${payload.slice(0, 250)}`)}\ntags: ${JSON.stringify([payload.slice(0, 90)])}`;
    const { draft } = read(withFrontmatter(frontmatter, payload));
    const derived = await deriveArticle(draft, { siteOrigin: SITE, highlight: false });
    const stored = buildStoredArticle({ title: draft.title, tags: draft.tags, derived });
    const script = `<script type="application/ld+json">${formatJsonLd(buildJsonLd(stored, catalogueSite))}</script>`;
    assert.deepEqual(findDangers(script), ['<script>'], payload);
    for (const { level, id, text } of derived.headings) {
      assert.ok(level >= 1 && level <= 6);
      assert.doesNotMatch(id, /[\s"'<>]/, `the id of ${text}`);
    }
    for (const url of derived.outboundReferences) assert.match(url, /^https?:\/\//);
    // Rendered as Markdown, the catalogue shows text instead of elements.
    const entry = {
      ...stored,
      authorName: stored.author.name,
      authorUsername: stored.author.username,
      topics: draft.tags,
      excerpt: derived.excerpt,
    };
    const shown = await derive(formatLlmsFullTxt(catalogueSite, [entry]));
    assert.deepEqual(findDangers(shown.html), [], payload);
    assert.doesNotMatch(shown.html, /<img/, payload);
    assert.equal(JSON.parse(JSON.stringify(buildAgentDocument(stored))).plainTextContent, derived.plainText);
    assert.equal(describeArticle(stored).contentText, derived.plainText);
  }
});

test('sanitising is idempotent over every DOMPurify payload', { skip }, () => {
  const fixtures = JSON.parse(readFileSync(path, 'utf8')) as { payload: string }[];
  const parser = unified().use(rehypeParse, { fragment: true });
  for (const { payload } of fixtures) {
    const once = sanitise(parser.parse(payload));
    assert.deepEqual(sanitise(once), once);
    // The same after writing it as HTML and parsing it again, as browsers and feed readers do.
    const html = toHtml(once);
    assert.deepEqual(findDangers(toHtml(sanitise(parser.parse(html)))), []);
    assert.deepEqual(findDangers(html), []);
  }
});

test('scripts in links, images, SVG and entities are absent from the page (A8)', async () => {
  const attacks = [
    '[x](javascript:alert(1))',
    '[x](&#x6A;avascript:alert(1))',
    '[x](java\u0000script:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](JavaScript:alert(1)) ![y](JAVASCRIPT:alert(1)) <a href=" \u0001 JaVaScRiPt:alert(1)">z</a>',
    '[x](VBScript:x) ![y](DATA:text/html;base64,PHN2Zz4=) <q cite="JAVASCRIPT:alert(1)">z</q>',
    '[x](vbscript:x) [y](data:text/html;base64,PHN2Zy9vbmxvYWQ9YWxlcnQoMSk+)',
    '![x](javascript:alert(1)) ![y](data:image/svg+xml;base64,PHN2Zz4=)',
    '<javascript:alert(1)>',
    '<a href="  javascript&colon;alert(1)">x</a>',
    '<a href="https://ok.example" onclick="alert(1)" style="x:y" target="_blank">x</a>',
    '<img src=x onerror=alert(1)>',
    '<img src="https://a.example/x" srcset="javascript:alert(1) 2x">',
    '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><iframe src="javascript:alert(1)"></iframe>',
    '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
    '<input type="image" src="x" onerror="alert(1)"> <input autofocus onfocus=alert(1)>',
    '<video><source onerror="alert(1)"></video> <details open ontoggle=alert(1)>x</details>',
    '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<template><script>alert(1)</script></template><noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<div id="__proto__"></div><form id="x"><input name="attributes"></form><a id="cookie" name="location">x</a>',
    '```"onmouseover=alert(1)\ncode\n```',
    'Text[^1]\n\n[^1]: <img src=x onerror=alert(1)>',
  ];
  for (const attack of attacks) assert.deepEqual(findDangers((await derive(attack)).html), [], attack);
});

test('a frame without a web address, or an invisible one, is removed', async () => {
  for (const frame of [
    '<iframe src="javascript:alert(1)" title="x"></iframe>',
    '<iframe src="data:text/html,x"></iframe>',
    '<iframe src="https://user:secret@evil.example/"></iframe>',
    '<iframe srcdoc="<b>x</b>"></iframe>',
    '<iframe src="https://count.example/" width="1" height="1"></iframe>',
    '<iframe src="https://count.example/" style="display: none"></iframe>',
    '<object data="javascript:alert(1)"><embed src="vbscript:x"></object>',
    '<script src="https://evil.example/a.js"></script>',
    '<script src="https://gist.github.com/a/b.js/../../evil"></script>',
  ]) {
    const { html } = await derive(`Text.\n\n${frame}\n`);
    assert.equal(html.replace('<p></p>', '').trim(), '<p>Text.</p>', frame);
  }
});

test('the title and the address of a frame cannot break out of its link', async () => {
  const { html } = await derive(
    '<iframe src=\'https://a.example/"><img src=x onerror=alert(1)>\' title="</a><script>alert(1)</script>"></iframe>',
  );
  assert.deepEqual(findDangers(html), []);
  assert.doesNotMatch(html, /<img|<script/);
});

test('the text of a script or style is not text of the article', async () => {
  const { html } = await derive(
    'Before.\n\n<script>let secret = 1</script>\n\n<style>p { color: secret }</style>\n\nAfter.',
  );
  assert.match(html, /Before\.[\s\S]*After\./);
  assert.doesNotMatch(html, /secret/);
  // The sanitiser alone removes them too.
  const parser = unified().use(rehypeParse, { fragment: true });
  const elements = '<script>let secret = 1</script><style>p { color: secret }</style><template>secret</template>';
  assert.equal(toHtml(sanitise(parser.parse(`Before.${elements}After.`))), 'Before.After.');
});
