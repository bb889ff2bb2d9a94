import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveArticle } from '../../../article/derive.ts';
import { derive, read, SITE, withFrontmatter } from '../support/documents.ts';

const POINT = 'A queue keeps the orders safe while the kitchen is closed, and nobody has to call twice.';

async function excerpt(body: string, frontmatter?: string): Promise<string> {
  return (await derive(body, frontmatter)).excerpt;
}

test('a greeting in any language is no excerpt', async () => {
  for (const greeting of [
    'Hello!',
    'Hi everyone,',
    'Hey there 👋',
    'Hello, world!',
    'Hello Courantians!',
    'Good morning, friends!',
    'Dear readers,',
    'Welcome back!',
    'Hallo zusammen,',
    'Liebe Leserinnen und Leser,',
    'Bonjour à tous !',
    'Hola a todos,',
    'Olá pessoal!',
    'Привет!',
  ])
    for (const between of [' ', '\n\n'])
      assert.equal(await excerpt(`${greeting}${between}${POINT}\n`), POINT, `${greeting}${JSON.stringify(between)}`);
  assert.equal(
    await excerpt('大家好！今天我们来看看消息队列是怎样保证订单不丢失的。\n'),
    '今天我们来看看消息队列是怎样保证订单不丢失的。',
  );
  assert.equal(
    await excerpt('こんにちは！メッセージキューで注文を失わない仕組みを説明します。\n'),
    'メッセージキューで注文を失わない仕組みを説明します。',
  );
  assert.equal(
    await excerpt('مرحبا بالجميع! الطابور يحفظ الطلبات حين يكون المطبخ مغلقا ولا يضيع منها شيء.\n'),
    'الطابور يحفظ الطلبات حين يكون المطبخ مغلقا ولا يضيع منها شيء.',
  );
});

test('a sentence that only resembles a greeting is kept', async () => {
  for (const sentence of [
    'Hello World is the first program that most people write in a new language.',
    'High availability is not a feature that you add in the last week.',
    'Welcome screens are the most ignored part of every application.',
  ])
    assert.equal(await excerpt(`${sentence}\n`), sentence);
});

test('a sentence that ends in a colon is skipped; as the only one it ends in a full stop', async () => {
  assert.equal(await excerpt(`Here is what I mean:\n\n- one\n- two\n\n${POINT}\n`), POINT);
  assert.equal(await excerpt(`${POINT} It works like this:\n\n- one\n`), POINT);
  assert.equal(
    await excerpt('今天的内容如下：\n\n- 队列\n\n消息队列可以保证订单不会丢失，也不会重复。\n'),
    '消息队列可以保证订单不会丢失，也不会重复。',
  );
  assert.equal(
    await excerpt('Version 2 brings a faster queue and three fixes:\n\n- a\n- b\n'),
    'Version 2 brings a faster queue and three fixes.',
  );
});

test('shortcodes, directives, brackets, footnotes and menus never appear in an excerpt', async () => {
  for (const noise of [
    '{{< unknown-widget id="1" >}}',
    '{% include toc.html %}',
    ':::wrapper\n',
    '[[_TOC_]]',
    '[toc]',
    '%[https://example.com/x]',
    'English | Deutsch | 中文 | 日本語',
    '![banner](https://a.example/b.png)',
    '**Contents**',
    'Photo by Ada Lovelace on a camera of her own.',
    'This post was originally published on another site.',
    'Last updated on 4 May.',
    'Note: this text is about version 2.',
  ])
    assert.equal(await excerpt(`${noise}\n\n${POINT}\n`), POINT, noise);
  assert.equal(
    await excerpt('A [queue] keeps `orders[0]` safe[^1] while the kitchen is closed [1], always.\n\n[^1]: Yes.\n'),
    'A queue keeps orders[0] safe while the kitchen is closed, always.',
  );
  assert.equal(await excerpt(`Write \`{{ page.title }}\` where the title should stand on the page. ${POINT}\n`), POINT);
});

test('whole sentences are used if they fit; a longer one is cut at a word', async () => {
  const second = 'The kitchen opens at six and reads them in the order in which they came.';
  assert.equal(await excerpt(`${POINT} ${second} ${POINT}\n`), `${POINT} ${second}`);
  const long = await excerpt(`${'a longer sentence without an end '.repeat(20)}\n`);
  assert.ok(long.length <= 200 && /\p{L}…$/u.test(long), long);
});

test('a short first paragraph is extended by the next, but not by text after a list or a heading', async () => {
  assert.equal(
    await excerpt('Orders were lost last night.\n\nNobody had thought of the queue behind the counter.\n'),
    'Orders were lost last night. Nobody had thought of the queue behind the counter.',
  );
  assert.equal(
    await excerpt('Orders were lost last night.\n\n- one\n\nNobody had thought of it, as it seems.\n'),
    'Orders were lost last night.',
  );
  assert.equal(
    await excerpt('Orders were lost last night.\n\n## Why\n\nNobody had thought of it, as it seems.\n'),
    'Orders were lost last night.',
  );
});

test('<!--more--> and similar marks end the author’s own teaser of up to 500 characters', async () => {
  const teaser = `Orders were lost last night.\n\n${POINT}`;
  for (const mark of [
    '<!--more-->',
    '<!-- more -->',
    '<!-- MORE -->',
    '<!-- truncate -->',
    '<!-- excerpt -->',
    '<!--end-->',
    '<!-- read more -->',
  ])
    assert.equal(await excerpt(`${teaser}\n\n${mark}\n\nThe rest of it.\n`), teaser.replace('\n\n', ' '), mark);
  assert.equal(await excerpt(`<!--more-->\n\n${POINT}\n`), POINT, 'nothing stands above it');
  assert.equal(await excerpt(`${POINT}\n\n\`\`\`html\n<!--more-->\n\`\`\`\n`), POINT);
  assert.equal(await excerpt(`${POINT}\n\n<!-- more of this next week -->\n\n${POINT}\n`), POINT);
  const long = await excerpt(`${POINT}\n\n${`${POINT} `.repeat(9)}\n\n<!--more-->\n\nRest.\n`);
  assert.ok(long.length > 300 && long.length <= 500, String(long.length));
});

test('in MDX, {/* truncate */} ends the teaser', async () => {
  const { draft } = read(
    withFrontmatter('title: T', `Orders were lost last night.\n\n${POINT}\n\n{/* truncate */}\n\n<Note>More</Note>\n`),
    { fileName: 'a.mdx' },
  );
  assert.equal((await deriveArticle(draft, { siteOrigin: SITE })).excerpt, `Orders were lost last night. ${POINT}`);
});

test('an excerpt, a summary or a description in the frontmatter is used unchanged', async () => {
  for (const key of ['excerpt', 'summary', 'description', 'Description', 'seo_description'])
    assert.equal(await excerpt(`${POINT}\n\n<!--more-->\n`, `title: T\n${key}: "Hi! My words:"`), 'Hi! My words:', key);
});

test('Chinese and Japanese sentences are joined without a space and cut between words', async () => {
  const sentence = '消息队列可以保证订单不会丢失。';
  assert.equal(await excerpt(`${sentence}${sentence}\n`), sentence + sentence);
  const long = await excerpt(`${'消息队列可以保证订单不会丢失而且也不会重复'.repeat(30)}\n`);
  assert.ok(long.length <= 200 && long.endsWith('…'), long);
});
