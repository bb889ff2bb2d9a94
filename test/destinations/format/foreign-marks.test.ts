/** Marks of other tools at destinations that receive Markdown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatArticle as formatForem } from '../../../destinations/forem/format.ts';
import { formatArticle as formatHashnode } from '../../../destinations/hashnode/format.ts';
import { makeArticle } from '../destination-harness.ts';

const FORMATS: [name: string, format: (body: string) => string][] = [
  ['Forem', (body) => formatForem(makeArticle({ body, title: 'Another title' })).payload.body_markdown],
  ['Hashnode', (body) => formatHashnode(makeArticle({ body, title: 'Another title' })).payload.contentMarkdown],
];

for (const [name, format] of FORMATS) {
  describe(`on ${name}`, () => {
    test('a comment that its author believes hidden is not sent', () => {
      assert.doesNotMatch(format('Shown.\n\n%% not @ann\nshown %%\n\nEnd %%nor this%%\n'), /shown|nor this|ann/);
      assert.doesNotMatch(
        format('Shown.\n\n{% comment %}\nnot this\n{% endcomment %}\n\n{{/* nor this */}}\n'),
        /this/,
      );
    });

    test('wiki links become their text, and heading ids and attribute lists are removed', () => {
      assert.equal(format('See [[Page|the page]] and [[Other]].\n'), 'See the page and Other.\n');
      assert.equal(format('## Part {#part}\n\nText.\n{: .lead}\n').replace(/\s+$/, ''), '## Part\n\nText.');
    });

    test('shortcodes with visible content become links, images and code; others are removed', () => {
      assert.equal(
        format('{{< youtube dQw4w9WgXcQ >}}\n'),
        '[Open on YouTube](<https://www.youtube.com/watch?v=dQw4w9WgXcQ>)\n',
      );
      assert.equal(
        format('{{< figure src="https://a.io/x.png" alt="A [b]" >}}\n'),
        '![A \\[b\\]](<https://a.io/x.png>)\n',
      );
      assert.equal(
        format('{% highlight ruby %}\nputs "{{ x }}"\n{% endhighlight %}\n'),
        '```ruby\nputs "{{ x }}"\n```\n',
      );
      assert.equal(format('a\n\n{{< toc >}}\n').trim(), 'a');
    });

    test('marked text and a line with an id for links become plain text', () => {
      assert.equal(format('Some ==marked words== here. ^id-of-it\n').trim(), 'Some marked words here.');
    });

    test('alerts and containers show their kind in bold', () => {
      assert.equal(format('> [!WARNING] Take care.\n'), '> **Warning:** Take care.\n');
      assert.equal(format(':::tip\n\nWords.\n\n:::\n').trim(), '**Tip:**\n\nWords.');
      assert.equal(format(':::details A_b\n\nWords.\n\n:::\n').trim(), '**A\\_b:**\n\nWords.');
    });

    test('a removed mark does not join the text around it', () => {
      assert.equal(format('- ```\n  a\n%%c%%\n  ~~~\n'), format('- ```\n  a\n<!-- -->\n  ~~~\n'));
      assert.equal(format('- a\n\n%%c%%\n\nb\n').replace(/\n+/g, '\n'), '- a\nb\n');
    });

    test('marks in code, and text that only looks like a mark, are unchanged', () => {
      for (const body of [
        '`%%c%% [[a]] {#b}`\n',
        '```\n%%c%%\n:::tip\n{{< x >}}\n:::\n```\n',
        '[!NOTE] is no alert here.\n',
        '> [!UNKNOWN] x\n',
        '> `[!NOTE]` x\n',
        '5%% and 6%%\n',
        ':::tip is not closed\n',
        'a[[1]]\n',
      ])
        assert.equal(format(body), body);
    });

    for (const piece of [
      '%%',
      '[[a',
      '{{< a ',
      ':::a\n',
      ':::\n',
      '> [!NOTE]\n',
      '# a {#',
      '{% highlight js %}',
      '{: ',
    ])
      test(`100 KB of ${JSON.stringify(piece)} are formatted in bounded time (A25)`, () => {
        const started = performance.now();
        format(piece.repeat(Math.ceil(95_000 / piece.length)));
        assert.ok(performance.now() - started < 20_000, `${Math.round(performance.now() - started)} ms`);
      });
  });
}

test('content that Liquid and Hugo hide is never sent', () => {
  for (const [name, format] of FORMATS) {
    for (const body of [
      'Shown.\n\n{% comment %}\nsecret\n{% endcomment %}\n',
      'Shown {%- comment -%}secret{%- endcomment -%} here.\n',
      'Shown.\n\n{{/* secret */}}\n',
      'Shown.\n\n{% comment %}\n```\nsecret\n```\n{% endcomment %}\n\nShown.\n',
    ])
      assert.doesNotMatch(format(body), /secret/, `${name}: ${body}`);
  }
});

test('columns leave no marks, and Forem’s formulas are converted', () => {
  for (const [, format] of FORMATS) {
    assert.equal(format('::: {.column}\n\nLeft.\n\n:::\n').trim(), 'Left.');
  }
  assert.equal(FORMATS[1]?.[1]('{% katex inline %}x_1{% endkatex %}\n'), '\\\\(x_1\\\\)\n');
});
