/** Syntax of Hashnode and of other tools on Hashnode: embeds, widgets, formulas, Liquid tags. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatArticle } from '../../../destinations/hashnode/format.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (body: string) => formatArticle(makeArticle({ body, title: 'Another title' }));
const formatBody = (body: string) => format(body).payload.contentMarkdown;
const losses = (body: string) => format(body).losses.map(({ code, line }) => [code, line]);

describe('embeds and widgets', () => {
  test('on a line of their own they are Hashnode’s, and unchanged', () => {
    for (const body of [
      '%[https://www.youtube.com/watch?v=dQw4w9WgXcQ]\n',
      'Before.\n\n%[https://example.com/a_b_(c)?d=%20]  \n\n%%[my-widget-1]\n',
      '> %[https://example.com/]\n\n- %[https://example.com/]\n',
    ]) {
      assert.equal(formatBody(body), body);
      assert.deepEqual(losses(body), []);
    }
  });

  test('anywhere else, or with other text between the brackets, they are text', () => {
    assert.equal(formatBody('a %[https://x.io]'), 'a &#37;[https://x.io]');
    assert.equal(formatBody('%[https://x.io] a'), '&#37;[https://x.io] a');
    assert.equal(formatBody('%[this or that]\n\n%%[two words]'), '&#37;[this or that]\n\n%&#37;[two words]');
    assert.equal(formatBody('| %[https://x.io] |\n|---|'), '| &#37;[https://x.io] |\n|---|');
  });
});

describe('Liquid tags', () => {
  test('a tag that embeds something becomes a link, and the loss is reported once', () => {
    const body =
      'a\n\n{% youtube dQw4w9WgXcQ %}\n\nsee {% embed https://example.com/a_b %} and {% github ann/repo %}.\n';
    assert.equal(
      formatBody(body),
      'a\n\n<https://www.youtube.com/watch?v=dQw4w9WgXcQ>\n\nsee <https://example.com/a_b> and <https://github.com/ann/repo>.\n',
    );
    assert.deepEqual(losses(body), [['embed_linked', 3]]);
  });

  test('another tag stays text, which is reported too; code is unchanged', () => {
    for (const body of ['a\n\n{% if x %} b {% endif %}\n', 'a\n\n{% youtube %}\n']) {
      assert.equal(formatBody(body), body);
      assert.deepEqual(losses(body), [['liquid_as_text', 3]]);
    }
    for (const body of ['`{% youtube dQw4w9WgXcQ %}`\n', '```\n{% if x %}\n```\n', 'a \\{% if x %}\n', '{{ x }}\n']) {
      assert.equal(formatBody(body), body);
      assert.deepEqual(losses(body), []);
    }
  });
});

describe('formulas', () => {
  test('inline formulas get Hashnode’s marks, and their TeX is unchanged', () => {
    assert.equal(
      formatBody('So $a_1*b$, \\(c_2\\) and $$d^2$$.'),
      'So \\\\(a_1*b\\\\), \\\\(c_2\\\\) and \\\\(d^2\\\\).',
    );
    assert.equal(formatBody('| $x^2$ |\n|---|\n'), '| \\\\(x^2\\\\) |\n|---|\n');
    assert.equal(formatBody('\\\\(x^2\\\\) stays'), '\\\\(x^2\\\\) stays');
  });

  test('block formulas are $$, also in quotations, lists and fences', () => {
    for (const [body, sent] of [
      ['$$\nx_1\n- y\n$$\n', '$$\nx_1\n- y\n$$\n'],
      ['a\n\n\\[\nx^2\n\\]\n', 'a\n\n$$\nx^2\n$$\n'],
      ['> \\[x^2\\]\n', '> $$x^2$$\n'],
      ['- $$x^2$$\n', '- $$x^2$$\n'],
      ['```math\nx^2\n```\n', '$$\nx^2\n$$\n'],
      ['a\n$$x^2$$\n', 'a\n\\\\(x^2\\\\)\n'],
    ] as const) {
      assert.equal(formatBody(body), sent);
      assert.deepEqual(losses(body), []);
    }
  });

  test('a fence with a dollar sign, which would end a formula, stays code, and this is reported', () => {
    const body = 'a\n\n```math\n\\text{\\$5}\n```\n';
    assert.equal(formatBody(body), body);
    assert.deepEqual(losses(body), [['math_as_code', 3]]);
  });

  test('of several formulas that stay code, the first is reported', () => {
    const fence = '```math\n\\text{\\$5}\n```\n';
    const tag = '{% katex %}\n\\text{\\$5}\n{% endkatex %}\n';
    assert.deepEqual(losses(`a\n\n${fence}\n${tag}`), [['math_as_code', 3]]);
    assert.deepEqual(losses(`a\n\nb\n\n${tag}\n${fence}`), [['math_as_code', 5]]);
  });

  test('formulas in footnotes are converted too', () => {
    assert.match(formatBody('A[^1]\n\n[^1]: Note $y_1$ on %[x].\n'), /1\. Note \\\\\(y_1\\\\\) on &#37;\[x\]\./);
  });

  test('prices and code are unchanged', () => {
    for (const body of ['It costs $5 or $10.\n', '`$x_1$`\n', '```\n$x_1$\n```\n'])
      assert.equal(formatBody(body), body);
  });
});

for (const piece of ['$a ', '$$a\n\n', '\\[', '{% embed ', '{% youtube dQw4w9WgXcQ %}', '%[https://a.b]\n', '$a_1$ '])
  test(`100 KB of ${JSON.stringify(piece)} are formatted in bounded time (A25)`, () => {
    const started = performance.now();
    formatBody(piece.repeat(Math.ceil(95_000 / piece.length)));
    assert.ok(performance.now() - started < 10_000, `${Math.round(performance.now() - started)} ms`);
  });
