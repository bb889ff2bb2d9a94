import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinPieces } from '../../../article/describe/keywords/count-words.ts';
import { derive } from '../support/documents.ts';

async function keywords(body: string, title: string): Promise<string[]> {
  return (await derive(body, `title: ${title}`)).keywords;
}

test('Chinese keywords are words without particles and words that every text uses', async () => {
  const found = await keywords(
    '我们可以使用消息队列来处理订单。消息队列可以保证订单不会丢失，因为数据库的数据库连接池已经满了。如果使用数据库，那么连接池需要更多连接。\n',
    '消息队列与数据库',
  );
  for (const word of ['消息', '队列', '数据库', '订单']) assert.ok(found.includes(word), `${word} in ${found}`);
  for (const word of ['可以', '使用', '我们', '因为', '如果', '需要', '的', '库'])
    assert.ok(!found.includes(word), `${word} in ${found}`);
});

test('Japanese keywords have no particles and no endings', async () => {
  const found = await keywords(
    'メッセージキューを使うと、注文を失わないことができます。この記事では、メッセージキューの仕組みについて説明していきます。注文はデータベースに保存されます。データベースは便利です。\n',
    'メッセージキューの仕組み',
  );
  for (const word of ['メッセージキュー', '注文', 'データベース', '仕組み'])
    assert.ok(found.includes(word), `${word} in ${found}`);
  assert.ok(
    found.every((word) => !/^[\u3040-\u309fー]+$/.test(word)),
    String(found),
  );
  for (const word of ['説明', '記事']) assert.ok(!found.includes(word), `${word} in ${found}`);
});

test('words that the segmenter splits are joined if the text has them more than once', () => {
  assert.deepEqual(joinPieces(['数据', '库', '', '数据', '库']), ['数据库', '数据库']);
  assert.deepEqual(joinPieces(['数据', '库', '', '数据']), ['数据', '库', '数据']);
  assert.deepEqual(
    joinPieces(['数据', '的', '', '数据', '的']),
    ['数据', '的', '数据', '的'],
    'grammar is no part of a word',
  );
  assert.deepEqual(joinPieces([]), []);
});

test('German and Arabic keywords contain no stop words', async () => {
  const german = await keywords(
    'Die Warteschlange ist für die Bestellungen da, und die Warteschlange ist nicht leer.\n',
    'Die Warteschlange',
  );
  assert.deepEqual(german, ['warteschlange']);
  const arabic = await keywords('الطابور يحفظ الطلبات في المطبخ. هذا الطابور لا يضيع الطلبات من المطبخ.\n', 'الطابور');
  assert.deepEqual(arabic, ['الطابور', 'الطلبات', 'المطبخ']);
});

test('a keyword does not repeat a tag in another spelling, and an address is no topic', async () => {
  const { keywords: found } = await derive(
    'Next.js is here: https://example.com/queue and https://example.com/queue again. Next.js’s router is the router of Next.js.\n',
    'title: T\ntags: [nextjs]',
  );
  assert.deepEqual(found, ['nextjs', 'router']);
});
