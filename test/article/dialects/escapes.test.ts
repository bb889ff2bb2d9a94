/** A backslash before a mark of another dialect makes it text, as before a mark of Markdown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive } from '../support/documents.ts';

const CASES: [body: string, shown: string][] = [
  ['\\:tada: and :tada:', '<p>:tada: and 🎉</p>'],
  ['\\==words== and ==words==', '<p>==words== and <mark>words</mark></p>'],
  ['\\{% include a.html %}', '<p><span>{</span>% include a.html %}</p>'],
  ['\\{% raw %}a\\{% endraw %}', '<p><span>{</span>% raw %}a<span>{</span>% endraw %}</p>'],
  ['\\{% youtube dQw4w9WgXcQ %}', '<p><span>{</span>% youtube dQw4w9WgXcQ %}</p>'],
  ['\\{% comment %}a{% endcomment %}', '<p><span>{</span>% comment %}a{% endcomment %}</p>'],
  ['\\{{/* a */}} b', '<p>{{/* a */}} b</p>'],
  ['\\{:.class}', '<p>{:.class}</p>'],
  ['> \\[!NOTE] a', '<blockquote>\n<p>[!NOTE] a</p>\n</blockquote>'],
  ['\\[w]({% post_url x %})', '<p>[w]({% post_url x %})</p>'],
  ['\\\\:tada:', '<p>\\🎉</p>'],
];
for (const [body, shown] of CASES) {
  test(`${body} is shown as text, without its backslash`, async () => {
    assert.equal((await derive(body)).html.trim(), shown);
  });
}

test('marks in emphasis and links are restored before marks in the text after them', async () => {
  const { plainText } = await derive('**$x_1$** and [$y_2$](https://a.example/) and $z_3$');
  assert.equal(plainText, 'x_1 and y_2 and z_3');
});

test('an address after %\\[ is a link, and the sign stays', async () => {
  const { html } = await derive('%\\[https://a.example/x]');
  assert.match(html, /^<p>%\[<a [^>]*>https:\/\/a\.example\/x<\/a>\]<\/p>/);
});

test('a bare address is shown unchanged, even if it contains an emoji code', async () => {
  const { html } = await derive(
    '<https://a.example/:tada:/> and https://a.example/:tada:/ and [:tada:](https://a.example/:tada:/)',
  );
  assert.equal(html.match(/>https:\/\/a\.example\/:tada:\/</g)?.length, 2);
  assert.match(html, />🎉</);
});

test('a component after a backslash does not make a text MDX', async () => {
  assert.match((await derive('\\<Foo /> and {x}')).html, /&#x3C;Foo \/> and \{x\}/);
});
