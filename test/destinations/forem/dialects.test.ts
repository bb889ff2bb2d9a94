/**
 * Forem's own Liquid and formulas on Forem, checked with the sandbox's Liquid, which accepts or
 * refuses the article.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatArticle } from '../../../destinations/forem/format.ts';
import { renderLiquid } from '../../../sandbox/forem/liquid.ts';
import { runs } from '../../support/property-runs.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (body: string) => formatArticle(makeArticle({ body, title: 'Another title' }));
const formatBody = (body: string) => format(body).payload.body_markdown;
const losses = (body: string) => format(body).losses.map(({ code, line }) => [code, line]);

describe('Liquid tags that Forem supports', () => {
  for (const body of [
    '{% embed https://example.com/@ann/post_one_two?a=1&b=2 %}',
    '{% embed https://github.com/forem/forem no-readme %}',
    '{% link https://dev.to/ann/a-post-1abc %} {% link ann/a-post-1abc %}',
    '{% github forem/forem %} {% github https://github.com/forem/forem/issues/12 %} {% github forem/forem no-readme %}',
    '{% gist https://gist.github.com/ann/0123456789abcdef file=a.js %}',
    '{% youtube dQw4w9WgXcQ %} {%youtube dQw4w9WgXcQ%} {% youtube https://youtu.be/dQw4w9WgXcQ?t=30 %}',
    '{% vimeo 193110695 %} {% tweet 834439977220112384 %} {% twitter 834439977220112384 %}',
    '{% codepen https://codepen.io/ann/pen/XKqrJX default-tab=js,result %} {% codesandbox ppxnl191zx %}',
    '{% stackblitz ball-demo view=preview %} {% jsfiddle https://jsfiddle.net/ann/v2kx9jcd result,html %}',
    '{% replit @ann/project %} {% asciinema 239367 %} {% user ann %} {% tag git %}',
    '{% spotify spotify:episode:5V4XZWqZQJvbddd31n56mf %} {% soundcloud https://soundcloud.com/ann/song %}',
    '- an item with {% youtube dQw4w9WgXcQ %}\n- another\n\n| {% tag git %} |\n| --- |\n| x |',
    '{% details The answer %}\n\nIt is *42*.\n\n{% enddetails %}',
    '{% collapsible One %} {% spoiler two %} deep {% endspoiler %} {% endcollapsible %}',
    '{% cta https://example.com/a %} Read on {% endcta %}\n\n{% card %}\n\nText.\n\n{% endcard %}',
    '{% katex %}\nx_1 * x_2\n- \\frac{a}{b}\n\n\\$ {% endkatex %}',
    'so {% katex inline %} a_{1} *b* @x {% endkatex %} holds',
  ]) {
    test(`${JSON.stringify(body)} is sent unchanged`, () => {
      assert.equal(formatBody(body), body);
      assert.deepEqual(losses(body), []);
      assert.ok('text' in renderLiquid(body));
    });
  }

  test('with a value that Forem would refuse they are text, and this is reported once', () => {
    for (const tag of [
      '{% youtube short %}',
      '{% github forem %}',
      '{% embed example.com %}',
      '{% link _posts/2020-01-01-hello.md %}',
      '{% tweet ann %}',
      '{% gist 0123456789abcdef %}',
      '{% katex %}{{ x }}{% endkatex %}',
      '{% details %}x{% enddetails %}',
      '{% details open %} never closed',
      'never opened {% enddetails %}',
      '{% include figure.html %}',
    ]) {
      assert.match(formatBody(`a\n\n${tag}\n\n${tag}`), /\{% raw %\}/, tag);
      assert.deepEqual(losses(`a\n\n${tag}\n\n${tag}`), [['liquid_as_text', 3]], tag);
    }
  });

  test('in code, in raw HTML and after a backslash they are text as well', () => {
    assert.equal(formatBody('`{% tag git %}`'), '`{% tag git %}`');
    assert.match(formatBody('\\{% tag git %}'), /^\{% raw %\}/);
    assert.match(formatBody('<b title="{% tag git %}">x</b>'), /\{% raw %\}/);
  });

  test('embeds in Hashnode’s syntax become links', () => {
    assert.equal(
      formatBody('%[https://medium.com/@ann/x_y]\n\n`%[https://x.io]`'),
      '<https://medium.com/@ann/x_y>\n\n`%[https://x.io]`',
    );
    assert.equal(formatBody('100%[link](https://x.io)'), '100%[link](https://x.io)');
  });

  test('the text of a wiki link is no Liquid, no half of a code span and no mention', () => {
    assert.equal(formatBody('[[@ann]] {[[%x]] [[a{]]{b}}'), '@\u2060ann {[[%x]] [[a{]]{b}}');
    assert.equal(formatBody('[[a`b]]'), '[[a`b]]');
  });

  test('lines and mentions around them are still rewritten', () => {
    assert.equal(
      formatBody('Ask @ann\nfor {% tag git %}\nand {{ x }}'),
      'Ask @\u2060ann for {% tag git %} and {% raw %}{{ x }}{% endraw %}',
    );
  });

  test('no combination of them makes Forem refuse an article', () => {
    const pieces = [
      ...['{% details a %}', '{% enddetails %}', '{% card %}', '{% endcard %}', '{% katex %}', '{% endkatex %}'],
      ...['{% katex inline %}', '{% tag git %}', '{% youtube x %}', '{{ x }}', '{% raw %}', '{% endraw %}', '{{', '{%'],
      ...['$x_1$', '$$y$$', '`', '`c`', '\n', '\n\n', ' ', '- ', '> ', 'a', '%}', '}}', '\\'],
      ...[
        '[[',
        ']]',
        '[[{]]',
        '[[%a]]',
        '[[`]]',
        '[[a|{{]]',
        '{',
        '&#123;',
        '%',
        '%%',
        '%%c%%',
        '{{< x >}}',
        ':::a\n',
        ':::\n',
      ],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        const rendered = renderLiquid(formatBody(parts.join('')));
        assert.ok('text' in rendered, JSON.stringify([parts.join(''), formatBody(parts.join('')), rendered]));
      }),
      { numRuns: runs(2_500), examples: [[['{', '{% katex %}', '{', '\n', '{% endkatex %}']]] },
    );
  });
});

/** The formulas that Forem reads, after Markdown has decoded the entities. */
function readKatex(body: string): string[] {
  return [...formatBody(body).matchAll(/\{% katex( inline)? %\}(.*?)\{% endkatex %\}/g)].map(
    ([, inline, tex = '']) =>
      `${inline ? 'inline' : 'block'}: ${tex.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))}`,
  );
}

describe('formulas', () => {
  test('inline and block formulas become {% katex %}, without Markdown inside', () => {
    const body = 'Let $x_1 * y_1$ and \\\\(a < b\\\\) be.\n\n$$\n\\begin{cases}\n1 & x \\\\\n- c\n\\end{cases}\n$$\n';
    assert.deepEqual(readKatex(body), [
      'inline: x_1 * y_1',
      'inline: a < b',
      'block: \\begin{cases}\n1 & x \\\\\n- c\n\\end{cases}',
    ]);
    for (const [, tex = ''] of formatBody(body).matchAll(/%\}(.*?)\{% endkatex/g))
      assert.doesNotMatch(tex, /[\\*_<>`[\]~]/);
    assert.deepEqual(losses(body), []);
  });

  test('formulas in quotations, lists, tables, headings and fences are converted too', () => {
    for (const [body, sent] of [
      ['> so\n>\n> $$\n> x\n> + y\n> $$\n', '> so\n>\n> {% katex %}x&#10;+ y{% endkatex %}\n'],
      ['- a\n\n  $$\n  x^2\n  $$\n- b\n', '- a\n\n  {% katex %}x^2{% endkatex %}\n- b\n'],
      ['| $x^2$ | b |\n|---|---|\n| 1 | 2 |\n', '| {% katex inline %}x^2{% endkatex %} | b |\n|---|---|\n| 1 | 2 |\n'],
      ['## On $x^2$\n', '## On {% katex inline %}x^2{% endkatex %}\n'],
      ['~~~math\nx^2\n~~~\n\n@ann\n', '{% katex %}x^2{% endkatex %}\n\n@\u2060ann\n'],
      ['- ```math\n  a\n\n  b\n  ```\n', '- {% katex %}a&#10;&#10;b{% endkatex %}\n'],
    ] as const) {
      assert.equal(formatBody(body), sent);
    }
  });

  test('braces in formulas are no Liquid', () => {
    const body = `so $${'{{a}\\over{b}}^{%c}'}$`;
    assert.deepEqual(readKatex(body), ['inline: { {a}\\over{b}}^{ %c}']);
    assert.ok('text' in renderLiquid(formatBody(body)));
  });

  test('prices, shell variables, code and addresses are unchanged', () => {
    for (const body of ['It costs $5 or $10.', '`$x_1$`', '```sh\necho $A_B $C_D\n```', '[a](https://x.example/$a_b$)'])
      assert.equal(formatBody(body), body);
  });
});

for (const piece of [
  '$a ',
  '$$a ',
  '\\(a',
  '{% embed ',
  '{% details x %}',
  '{% katex %}',
  '{% enddetails %}',
  '$a_1$ ',
])
  test(`a MiB of ${JSON.stringify(piece)} is formatted in bounded time (A25)`, () => {
    const started = performance.now();
    formatBody(piece.repeat(Math.ceil(1_048_576 / piece.length)));
    assert.ok(performance.now() - started < 20_000, `${Math.round(performance.now() - started)} ms`);
  });
