/**
 * Liquid in an author's text, checked with the sandbox's Liquid, which shows the text that readers
 * see.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { renderLiquid } from '../../../sandbox/forem/liquid.ts';
import { runs } from '../../support/property-runs.ts';
import { formatBody, shown } from './support/format-body.ts';

describe('Liquid', () => {
  for (const text of [
    'Hello {{ user.name }}!',
    '{% if x %}yes{% endif %}',
    'an open {{ brace',
    'an open {% brace',
    'half {{ a } b }} and {{ x }',
    '{{{ triple }}}',
    '{{ a {{ b }} c }}',
    '{% raw %}{{ x }}{% endraw %}',
    '{%- endraw -%} {% endraw %}',
    '{{% both %}}',
    '{%{{%{{',
    'a ` lone tick, {{ x }}, another ` here, and `code`',
    '- item {{ x }}\n  {% y %}\n',
    '| {{ a }} | {% b %} |\n|---|---|\n| `{{ c }}` | d |',
    '# {{ heading }}\n\n    indented {{ code }}\n',
    '<b title="{{ x }}">{% y %}</b>',
    '[^1]\n\n[^1]: note {{ x }}',
    '[text]({{ url }})',
    '[text](a{{',
  ]) {
    test(`${JSON.stringify(text)} reaches readers as written`, () => {
      assert.equal(shown(text).replaceAll('&#96;', '`').replace(/\s+/g, ' ').trim(), text.replace(/\s+/g, ' ').trim());
    });
  }

  test('a token is wrapped completely if possible', () => {
    assert.equal(formatBody('Hi {{ user }}.'), 'Hi {% raw %}{{ user }}{% endraw %}.');
    assert.equal(formatBody('{% if a %}'), '{% raw %}{% if a %}{% endraw %}');
  });

  test('tokens that exist only after Markdown is rendered are wrapped too', () => {
    for (const text of [
      '\\{{ x }}',
      '\\{\\{ x }}',
      '{\\{ x }}',
      '\\{% x %}',
      '&#123;{ x }}',
      '&#x7B;&lcub; x }}',
      '{&percnt; x %}',
    ]) {
      assert.match(formatBody(text), /^\{% raw %\}[\s\S]+\{% endraw %\}/, text);
    }
  });

  test('code is not escaped, because Forem escapes it itself', () => {
    for (const code of ['`{{ x }}`', '``{% y %} ` ``', '```\n{{ x }}\n```', '```js {{ info }}\n{% endraw %}\n```']) {
      assert.equal(formatBody(code), code);
      assert.equal(shown(code), code);
    }
  });

  test('in addresses, where raw is not possible, the brace is percent-encoded', () => {
    assert.equal(formatBody('[a](https://x.io/{{id}})'), '[a](https://x.io/%7B%7Bid}})');
    assert.equal(formatBody('see https://x.io/{%id%}'), 'see https://x.io/%7B%25id%}');
  });

  test('no article is refused for its Liquid', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('{{', '}}', '{%', '%}', '{', '}', 'raw', 'endraw', ' ', '\n', '\n\n', 'a', '> ', '\\'),
          { maxLength: 30 },
        ),
        (parts) => {
          const rendered = renderLiquid(formatBody(parts.join('')));
          assert.ok('text' in rendered, JSON.stringify([parts.join(''), rendered]));
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  test('any text with Liquid in it reaches readers as written', () => {
    const pieces = [
      '{{ x }}',
      '{% y %}',
      '{% endraw %}',
      '{% raw %}',
      '{{',
      '{%',
      '`c {{ z }}`',
      ' words ',
      ' ',
      '.',
      '**b**',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = `p${parts.join('')}`;
        assert.equal(shown(text), text);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
