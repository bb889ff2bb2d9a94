import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive } from '../support/documents.ts';

const PAIRS = '## Is it fast?\n\nYes.\n\n## Is it safe?\n\nIt is.\n';
const ENTRIES = [
  { question: 'Is it fast?', answer: 'Yes.' },
  { question: 'Is it safe?', answer: 'It is.' },
];

test('a page is a FAQ by its title or tag', async () => {
  for (const frontmatter of [
    'title: FAQ',
    'title: Frequently asked questions about queues',
    'title: Queue FAQ',
    'title: Queues\ntags: [faq]',
    'title: Häufige Fragen',
    'title: 常见问题',
  ])
    assert.deepEqual((await derive(PAIRS, frontmatter)).faqs, ENTRIES, frontmatter);
  assert.deepEqual((await derive('## Turn it off\n\nPull the plug.\n', 'title: FAQ')).faqs, [
    { question: 'Turn it off', answer: 'Pull the plug.' },
  ]);
});

test('a page is a FAQ if at least four of its headings, and nearly all, are questions', async () => {
  const page = `${PAIRS}## Is it cheap?\n\nNo.\n\n## Is it new?\n\nNot at all.\n`;
  assert.equal((await derive(page)).faqs?.length, 4);
  assert.ok((await derive(page)).types.includes('FAQPage'));
  assert.equal((await derive(`${page}\n## One\n\nA.\n\n## Two\n\nB.\n`)).faqs, null);
  assert.equal((await derive(PAIRS)).faqs, null);
});

test('a section is a FAQ with a number or symbol in its heading, and in other languages', async () => {
  for (const heading of [
    'FAQs',
    '5. FAQ',
    '🙋 FAQ',
    'Docs FAQ',
    'Q&A',
    'Häufig gestellte Fragen',
    '常见问题解答',
    'よくある質問',
    'الأسئلة الشائعة',
  ])
    assert.deepEqual(
      (await derive(`## ${heading}\n\n### Is it fast?\n\nYes.\n\n### Is it safe?\n\nIt is.\n`)).faqs,
      ENTRIES,
      heading,
    );
  assert.equal((await derive('## Faqir houses\n\n### Is it fast?\n\nYes.\n')).faqs, null);
});

test('a question and its answer may share a paragraph', async () => {
  for (const body of [
    '## FAQ\n\n**Is it fast?** Yes.\n\n**Is it safe?**\nIt is.\n',
    '## FAQ\n\nQ: Is it fast?\nA: Yes.\n\nQ: Is it safe?\nA: It is.\n',
    '## FAQ\n\n<details><summary>Is it fast?</summary>\n\nYes.\n\n</details>\n\n<details><summary>Is it safe?</summary>\n\nIt is.\n\n</details>\n',
  ])
    assert.deepEqual((await derive(body)).faqs, ENTRIES, body);
});
