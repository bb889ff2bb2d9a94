import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSentences } from '../../../article/describe/sentences.ts';
import { derive } from '../support/documents.ts';

async function takeaways(body: string, title = 'A queue of orders'): Promise<string[]> {
  return (await derive(body, `title: ${title}`)).keyTakeaways;
}

const POINT = 'A queue keeps the orders of the kitchen safe over night.';
const OTHER = 'The cook reads the orders from the queue in the morning.';

test('takeaways contain no repetitions, exact or nearly exact', async () => {
  const found = await takeaways(
    `${POINT} ${OTHER}\n\n${POINT}\n\nA queue keeps all the orders of the kitchen safe over night.\n`,
  );
  assert.equal(found.length, 2);
  assert.ok(found.includes(OTHER), String(found));
  assert.deepEqual(await takeaways('## Key takeaways\n\n- Use a queue\n- Use a queue\n- Read it in order\n'), [
    'Use a queue',
    'Read it in order',
  ]);
});

test('a takeaway makes sense alone: no question, no colon, no reference to the sentence before', async () => {
  const found = await takeaways(
    `${POINT} But this queue of orders is the best queue of orders. Is a queue of orders a queue? The queue of orders has these orders:\n\n- a\n\n${OTHER}\n`,
  );
  assert.deepEqual(found.slice(0, 2), [POINT, found[1]]);
  assert.ok(found.includes(OTHER) && found.every((text) => /[.!]$/.test(text)), String(found));
});

test('headings of takeaways are recognised in other languages', async () => {
  assert.deepEqual(await takeaways('## Das Wichtigste\n\n- Eins ist eins\n- Zwei ist zwei\n'), [
    'Eins ist eins',
    'Zwei ist zwei',
  ]);
  assert.deepEqual(await takeaways('## 总结\n\n- 队列保证顺序\n- 厨房早上开门\n'), ['队列保证顺序', '厨房早上开门']);
  assert.deepEqual(await takeaways('## まとめ\n\n- 注文は失われません\n- 順番を守ります\n'), [
    '注文は失われません',
    '順番を守ります',
  ]);
});

test('an abbreviation, an address or a lowercase word does not end a sentence', () => {
  for (const sentence of [
    'Use a queue, e.g. Redis or RabbitMQ.',
    'Dr. Hopper knew it.',
    'See https://a.example/b?c=d for it.',
    'Das gilt z. B. Montags.',
    'It says hello... and then nothing.',
  ])
    assert.deepEqual(splitSentences(`${sentence} The end.`), [sentence, 'The end.']);
  assert.deepEqual(splitSentences('你好。世界！'), ['你好。', '世界！']);
  assert.deepEqual(splitSentences('هل هذا طابور؟ نعم.'), ['هل هذا طابور؟', 'نعم.']);
});
