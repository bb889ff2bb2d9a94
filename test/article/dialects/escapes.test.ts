/** A backslash before a mark that other places add to Markdown makes text of it, as it does before one of Markdown itself. */
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
  test(`${body} is shown without its backslash, and as nothing else`, async () => {
    assert.equal((await derive(body)).html.trim(), shown);
  });
}

test('what stands in emphasis or in a link keeps its place before what stands in the text behind', async () => {
  const { plainText } = await derive('**$x_1$** and [$y_2$](https://a.example/) and $z_3$');
  assert.equal(plainText, 'x_1 and y_2 and z_3');
});

test('an address behind %\\[ is a link of its own, and the sign stays', async () => {
  const { html } = await derive('%\\[https://a.example/x]');
  assert.match(html, /^<p>%\[<a [^>]*>https:\/\/a\.example\/x<\/a>\]<\/p>/);
});

test('an address that is its own text is shown as it is, with what would be the code of an emoji elsewhere', async () => {
  const { html } = await derive(
    '<https://a.example/:tada:/> and https://a.example/:tada:/ and [:tada:](https://a.example/:tada:/)',
  );
  assert.equal(html.match(/>https:\/\/a\.example\/:tada:\/</g)?.length, 2);
  assert.match(html, />🎉</);
});

test('a component behind a backslash makes no MDX of a text', async () => {
  assert.match((await derive('\\<Foo /> and {x}')).html, /&#x3C;Foo \/> and \{x\}/);
});
