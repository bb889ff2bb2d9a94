import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMath } from '../../../article/dialects/inline/math.ts';
import { derive, read, withFrontmatter } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

test('TeX becomes MathML, between one or two dollars and in escaped parentheses or brackets', async () => {
  for (const body of ['$a_1$', '\\(a_1\\)', '\\\\(a_1\\\\)']) {
    const { html, plainText } = await derive(`Say ${body} here.\n`);
    assert.equal(html, '<p>Say <math><msub><mi>a</mi><mn>1</mn></msub></math> here.</p>', body);
    assert.equal(plainText, 'Say a_1 here.');
  }
  for (const body of ['$$\na_1\n$$', '$$a_1$$', '\\[\na_1\n\\]', '\\\\[a_1\\\\]', '```math\na_1\n```']) {
    const { html } = await derive(`Before:\n\n${body}\n\nAfter.\n`);
    assert.match(html, /<math display="block"><msub><mi>a<\/mi><mn>1<\/mn><\/msub><\/math>/, body);
  }
});

test('a formula is read as written, even where Markdown has emphasis, links and escapes', async () => {
  for (const tex of ['a_i + b_i * c_j * d', 'x^* \\{ y \\}', '\\left[ a \\right](b)', 'a < b', 'f(x) = \\frac{1}{x}']) {
    const { plainText } = await derive(`Say $${tex}$ here, and *this*.\n`);
    assert.equal(plainText, `Say ${tex} here, and this.`);
  }
  const { plainText } = await derive('> - $$\n>   a_1 \\\\\n>   b_1\n>   $$\n');
  assert.equal(plainText.replace(/\s+/g, ' '), 'a_1 \\\\ b_1');
});

test('prices, shell variables, escaped marks and code are not math', async () => {
  for (const text of [
    'It costs $5 and $10, or US$20.',
    'Between $5 and 10$ more words.',
    '$HOME/bin and $PATH',
    'echo $$ and $$',
    "$_GET['a'] and $_POST['b']",
    '$(document).on("x", $(this))',
    'a \\$x\\$ b',
    '\\(optional\\) and \\[link\\](x)',
    '`$a_1$` and `\\(a_1\\)`',
  ]) {
    const { html } = await derive(`${text}\n`);
    assert.doesNotMatch(html, /<math|language-math/, text);
  }
  assert.doesNotMatch((await derive('~~~sh\necho $a_1$\n~~~\n\n    $a_1$\n')).html, /<math/);
});

test('an address with dollar signs stays an address, and the source stays unchanged', async () => {
  const body =
    '[l](https://x.example/$a_1$) <a href="https://x.example/$a$b$">h</a> ![$a_1$](https://x.example/i.png) $b$\n';
  const { html } = await derive(body);
  assert.match(html, /href="https:\/\/x\.example\/\$a_1\$"/);
  assert.match(html, /href="https:\/\/x\.example\/\$a\$b\$"/);
  assert.match(html, /alt="\$a_1\$"/);
  assert.match(html, /<math><mi>b<\/mi><\/math>/);
  assert.equal(read(withFrontmatter('title: T', body)).draft.body, body);
});

test('a formula beside a linked image stays a formula if both addresses contain dollar signs', async () => {
  const { html } = await derive('[![a](https://x.example/$y$.png)](https://x.example/$x$/) and $z$\n');
  assert.match(html, /href="https:\/\/x\.example\/\$x\$\/"/);
  assert.match(html, /<math><mi>z<\/mi><\/math>/);
});

test('unreadable math is shown as code; hostile math runs nothing', async () => {
  const { html } = await derive('Say $\\frac{a$ here.\n');
  assert.match(html, /<code class="language-math">\\frac\{a<\/code>/);
  for (const tex of [
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{https://evil.example/x.png}',
    '\\class{x" onclick="alert(1)}{y}',
    '\\htmlData{a=b}{x}',
    '\\style{color:red}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\text{</math><script>alert(1)</script>}',
    '\\def\\a{\\a\\a}\\a',
    `${'{'.repeat(900)}x${'}'.repeat(900)}`,
    `${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}`,
    '\\rule{9999em}{9999em}',
  ]) {
    const begin = performance.now();
    const { html: shown } = await derive(`$$${tex}$$\n`);
    assert.deepEqual(findDangers(shown), [], tex);
    assert.doesNotMatch(shown, /<img|<script|<a |style=|9999/, tex);
    assert.ok(performance.now() - begin < 10_000, tex.slice(0, 30));
  }
  const raw = await derive('<math><mi href="javascript:alert(1)">x</mi></math>\n');
  assert.doesNotMatch(raw.html, /<math|<mi/);
});

test('finding math takes linear time', () => {
  for (const unit of ['$', '$a', '$a ', '$$', '$$a', '\\(', '\\(a', '\\[\n', '\\\\[a\n', '$\n\n']) {
    const begin = performance.now();
    findMath(unit.repeat(1_000_000 / unit.length));
    assert.ok(performance.now() - begin < 10_000, unit);
  }
});
