import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive } from '../support/documents.ts';

async function entities(body: string, frontmatter?: string): Promise<string[]> {
  return (await derive(body, frontmatter)).entities;
}

/** Enough common words to recognise the language of a short text. */
const ENGLISH = 'It was one of those days on which not much of the work that we had to do was done.';

test('a name is a complete word: eBay contains no "Bay" and macOS no "OS"', async () => {
  const found = await entities(
    `${ENGLISH} We sold it on eBay from an iPhone, wrote it with jQuery, and built it on macOS.\n`,
  );
  assert.deepEqual(found, ['eBay', 'iPhone', 'jQuery', 'macOS']);
});

test('pronouns, contractions, grammar and the calendar are not names', async () => {
  const found = await entities(
    `I think I'm right. We said I've been there. ${ENGLISH} On Monday in March he said There was no API for that PR. However, He did. The URL and It are fine.\n`,
  );
  assert.deepEqual(found, []);
});

test('the words around a name are not part of it', async () => {
  const found = await entities(
    `${ENGLISH} The Rust compiler is fast. An HTTP server runs on it. Using Grafana Loki is easy. In Berlin, See Node.js docs of UNIX-like systems.\n`,
  );
  assert.deepEqual(found, ['Rust', 'HTTP', 'Grafana Loki', 'Berlin', 'Node.js', 'UNIX']);
});

test('a capital at the start of a sentence is no evidence, unless the text uses the word as a name', async () => {
  const found = await entities(
    `${ENGLISH} Gardens are green. Kitchens open at six. Fastlane keeps the orders. Fastlane's queue is short. Nobody knows why that is.\n`,
  );
  assert.deepEqual(found, ['Fastlane']);
});

test('a word that also occurs in lower case is not a name', async () => {
  const found = await entities(
    `${ENGLISH} Read the Queue Guide first. A queue is a guide to order, and the guide of the queue says so. Ask for the Queue.\n`,
  );
  assert.deepEqual(found, []);
});

test('capitals in headings do not make names', async () => {
  assert.deepEqual(await entities(`${ENGLISH}\n\n## Known Limits And Their Reasons\n\n${ENGLISH}\n`), []);
});

test('a person is listed once, with the full name', async () => {
  const found = await entities(
    `${ENGLISH} We met Grace Hopper there. Then Hopper spoke, and it was Grace who laughed.\n`,
  );
  assert.deepEqual(found, ['Grace Hopper']);
});

test('identifiers come from code; keywords, literals and words that the prose uses are excluded', async () => {
  const found = await entities(
    'Call `readFile()` or `fs.read`, never `true`, `if`, `null` or `x.y`. Run `nvm` first. A `worker` is a worker among workers, and every worker waits.\n',
  );
  assert.deepEqual(found, ['readFile', 'fs.read', 'nvm']);
});

test('of the identifiers in code, the eight most frequent are listed, in that order', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `call_${index}`);
  const code = names.flatMap((name, index) => Array.from({ length: index + 1 }, () => `\`${name}\``));
  const found = await entities(`${ENGLISH} ${code.join(' and ')}.\n`);
  assert.deepEqual(found, names.toReversed().slice(0, 8));
});

test('German has tags and names with a capital inside, because it capitalises all nouns', async () => {
  const found = await entities(
    'Das ist ein Text über die Datenbank auf GitHub, und wir haben den Befehl für PostgreSQL nicht gefunden, weil die Hilfe fehlt.\n',
    'title: T\ntags: [postgres]',
  );
  assert.deepEqual(found, ['postgres', 'GitHub', 'PostgreSQL']);
});

test('French and Spanish names are found like English ones', async () => {
  assert.deepEqual(
    await entities(
      'Nous avons vu que la base de données est dans les mains de Grace Hopper à Bruxelles, et pas chez nous.\n',
    ),
    ['Grace Hopper', 'Bruxelles'],
  );
});

test('in Chinese, Japanese and Arabic a word with a Latin capital is a name', async () => {
  assert.deepEqual(await entities('我们使用TypeScript和Redis来实现消息队列，然后部署到Kubernetes。\n'), [
    'TypeScript',
    'Redis',
    'Kubernetes',
  ]);
  assert.deepEqual(await entities('TypeScriptの型システムについて、Reactと一緒に説明します。\n'), [
    'TypeScript',
    'React',
  ]);
  assert.deepEqual(await entities('نستخدم Redis و PostgreSQL لحفظ الطلبات في الطابور.\n'), ['Redis', 'PostgreSQL']);
});
