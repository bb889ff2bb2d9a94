import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveArticle } from '../../../article/derive.ts';
import { read, SITE, withFrontmatter } from '../support/documents.ts';

async function deriveMdx(body: string) {
  const { draft, warnings } = read(withFrontmatter('title: T', body), { fileName: 'post.mdx' });
  const { html } = await deriveArticle(draft, { siteOrigin: SITE, highlight: false });
  return { draft, html, codes: warnings.map(({ code }) => code) };
}

test('math beside braces is math in MDX, in paragraphs, tables and components, and its source stays', async () => {
  const math = '$E = mc^{2}$ and $\\frac{a_1}{b_2}$';
  const { html, draft, codes } = await deriveMdx(
    `Mass: ${math}.\n\n<Note>Here $x_{1}*y_{2}*z$ and {"said"}.</Note>\n\n$$\n\\sum_{i} x_{i}\n$$\n\n| a |\n|--|\n| $y_{1}$ {"b"} |\n`,
  );
  assert.equal(html.match(/<math/g)?.length, 5);
  assert.doesNotMatch(html, /language-math|<em>|\$/);
  assert.match(html, /said/);
  assert.ok(draft.body.includes(math) && draft.body.includes('Here $x_{1}*y_{2}*z$ and said.'), draft.body);
  assert.deepEqual(codes, []);
});

test('prices, shell variables in code and expressions stay unchanged', async () => {
  const { html, codes } = await deriveMdx(`Pay $5 or {"six"} or $7 for \`$\{x}\`. {count}\n\n<A>$\{"8"}</A>\n`);
  assert.match(html, /<p>Pay \$5 or six or \$7 for <code>\$\{x\}<\/code>\.<\/p>\s*<p>\$8<\/p>/);
  assert.deepEqual(codes, ['mdx_expression_removed']);
});

test('heading ids, wiki links, alerts, shortcodes and containers within components are read as elsewhere', async () => {
  const { html, codes } = await deriveMdx(
    '## Title {#my-id}\n\n[there](#my-id)\n\n<Steps>\n\n> [!TIP]\n> See [[Page_one|it]]\n\n:::note\n{"inside"}\n:::\n\n{{< youtube abc_def-123 >}}\n\n</Steps>\n\n```mermaid\na\n```\n',
  );
  assert.match(html, /<h2 id="title">Title<\/h2>\s*<p><a href="#title">/);
  assert.match(html, /<blockquote class="alert-tip">\s*<p><strong>Tip<\/strong><\/p>\s*<p>See it<\/p>/);
  assert.match(html, /<blockquote class="alert-note">[\s\S]*inside/);
  assert.match(html, /<a href="https:\/\/www\.youtube\.com\/watch\?v=abc_def-123"/);
  assert.deepEqual(codes, ['wiki_link_as_text', 'diagram_as_code']);
});

test('JavaScript that resembles a mark stays JavaScript', async () => {
  const { html, codes } = await deriveMdx(
    "export const rows = [['a', 'b']];\n\n<Table rows={[['a', 'b']]} />\n\nText $x_{1}$.\n\n<A b=\"$c_1$\">d</A>\n",
  );
  assert.match(html, /<p>Text <math>/);
  assert.match(html, /<p>d<\/p>/);
  assert.deepEqual(codes, ['mdx_component_removed']);
});

test('a comment of a Hugo template does not make Markdown MDX', () => {
  assert.deepEqual(read(withFrontmatter('title: T', '{{/* note */}}\n\nText < more.\n')).warnings, []);
});
