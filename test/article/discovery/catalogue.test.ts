import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CatalogueEntry,
  formatLlmsFullTxt,
  formatLlmsTxt,
  MAX_CATALOGUE_BYTES,
} from '../../../article/discovery/catalogue.ts';
import { escapeMarkdown } from '../../../article/discovery/escape-markdown.ts';
import { runs } from '../../support/property-runs.ts';
import { preparePython } from '../../support/python.ts';
import { derive, SITE } from '../support/documents.ts';
import { catalogueSite } from '../support/stored-article.ts';

const python = preparePython();

const entry: CatalogueEntry = {
  slug: 'an-article',
  title: 'An article',
  canonicalUrl: 'https://elsewhere.example/an-article',
  authorName: 'Ada',
  authorUsername: 'ada',
  publishedAt: new Date('2026-11-20T10:00:00Z'),
  updatedAt: new Date('2026-11-21T10:00:00Z'),
  topics: ['typescript', 'rust'],
  tags: ['c#', 'rust'],
  excerpt: 'Text.',
  contentSignal: {},
};

interface Parsed {
  title: string;
  summary: string;
  info: string;
  sections: Record<string, { title: string; url: string; desc: string | null }[]>;
}

/** Parses several texts with the reference parser of llmstxt.org. */
async function readAsReference(texts: readonly string[]): Promise<Parsed[]> {
  const program = `
import json, sys
from fastcore.all import obj2dict
from llms_txt import parse_llms_file
print(json.dumps([obj2dict(parse_llms_file(text)) for text in json.load(sys.stdin)]))`;
  return (await python.run(program, JSON.stringify(texts))) as Parsed[];
}

test('llms.txt has overview, topics, authors, attribution and freshness, and a JSON document per article', () => {
  const text = formatLlmsTxt(catalogueSite, [entry]);
  assert.match(text, /^# Courant\n\n> Where developers publish\./);
  assert.ok(text.includes(`\n## Topics\n\n- [c#](${SITE}/tags/c%23.md)\n- [rust](${SITE}/tags/rust.md)\n`));
  assert.match(text, /- \[Ada\]\(https:\/\/courant\.example\/authors\/ada\.md\): @ada/);
  assert.match(text, /cite the canonical URL/);
  assert.match(text, /check dateModified .* before answering a time-sensitive question/);
  assert.ok(
    text.includes(
      '- [An article](https://elsewhere.example/an-article): Ada, 2026-11-20; ' +
        `[Markdown](${SITE}/an-article.md), JSON <${SITE}/api/geo/posts/an-article>\n`,
    ),
  );
});

test('the reference parser reads llms.txt with and without articles', { skip: python.skip }, async () => {
  const [full, empty] = await readAsReference([
    formatLlmsTxt(catalogueSite, [entry, { ...entry, slug: 'b', title: 'B' }]),
    formatLlmsTxt(catalogueSite, []),
  ]);
  assert.equal(full?.title, 'Courant');
  assert.equal(full?.summary, 'Where developers publish.');
  assert.match(full?.info ?? '', /Attribution/);
  assert.deepEqual(Object.keys(full?.sections ?? {}), ['Articles', 'Authors', 'Topics', 'Optional']);
  assert.deepEqual(
    full?.sections.Articles?.map(({ title, url }) => [title, url]),
    [
      ['An article', entry.canonicalUrl],
      ['B', entry.canonicalUrl],
    ],
  );
  assert.deepEqual(Object.keys(empty?.sections ?? {}), ['Optional']);
});

test('the reference parser reads llms.txt with any text of authors', { skip: python.skip }, async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('[', ']', '(', ')', '#', '\n', '\\', '-', ' ', ':', '>', 'a'), maxLength: 30 }),
  );
  const entries = fc.array(
    fc.record({ title: hostile, authorName: hostile, excerpt: hostile, tags: fc.array(hostile, { maxLength: 3 }) }),
    { maxLength: 4 },
  );
  const samples = fc.sample(entries, runs(300));
  const read = await readAsReference(
    samples.map((sample) =>
      formatLlmsTxt(
        catalogueSite,
        sample.map((parts) => ({ ...entry, ...parts })),
      ),
    ),
  );
  for (const [index, { sections, title }] of read.entries()) {
    assert.equal(title, 'Courant');
    assert.equal((sections.Articles ?? []).length, samples[index]?.length, JSON.stringify(samples[index]));
    assert.ok((sections.Articles ?? []).every(({ url }) => url === entry.canonicalUrl));
    const tags = new Set(samples[index]?.flatMap((sample) => sample.tags));
    assert.deepEqual(
      new Set((sections.Topics ?? []).map(({ url }) => decodeURIComponent(url))),
      new Set([...tags].map((tag) => `${SITE}/tags/${tag}.md`)),
    );
  }
});

test('llms-full.txt has byline, time, topics and abstract of at most 500 articles', () => {
  const text = formatLlmsFullTxt(
    catalogueSite,
    Array.from({ length: 600 }, (_, i) => ({ ...entry, slug: `a-${i}`, title: `Article ${i}` })),
  );
  assert.equal(text.match(/^### /gm)?.length, 500);
  assert.ok(
    text.includes(
      '### [Article 0](https://elsewhere.example/an-article)\n\n- Author: Ada (@ada)\n- Published: 2026-11-20T10:00:00.000Z\n' +
        `- Updated: 2026-11-21T10:00:00.000Z\n- Topics: typescript, rust\n- Markdown: <${SITE}/a-0.md>\n- JSON: <${SITE}/api/geo/posts/a-0>\n\nText.\n`,
    ),
  );
});

test('llms-full.txt is at most 1,000,000 bytes and links to the rest', () => {
  const large = { ...entry, title: '語'.repeat(300), excerpt: '語'.repeat(5_000) };
  const text = formatLlmsFullTxt(
    catalogueSite,
    Array.from({ length: 500 }, () => large),
  );
  assert.ok(Buffer.byteLength(text) <= MAX_CATALOGUE_BYTES);
  const sections = text.match(/^### /gm)?.length ?? 0;
  assert.ok(sections > 100 && sections < 500, `${sections} articles`);
  assert.match(text, /All other articles and all changes: <https:\/\/courant\.example\/api\/geo\/changes>/);
});

test('an article’s content signal is listed beside it; a text that models may not read has no abstract', () => {
  const own = { ...entry, contentSignal: { 'ai-input': false, 'ai-train': false } };
  assert.match(formatLlmsTxt(catalogueSite, [own]), /; Content-Signal: ai-input=no, ai-train=no\n/);
  const full = formatLlmsFullTxt(catalogueSite, [own, entry]);
  assert.match(full, /- Content-Signal: ai-input=no, ai-train=no\n/);
  assert.equal(full.match(/^Text\.$/gm)?.length, 1);
  const site = { ...catalogueSite, contentSignal: { 'ai-train': false } };
  assert.match(formatLlmsTxt(site, []), /\(Content-Signal\): ai-train=no\./);
  assert.doesNotMatch(formatLlmsTxt(site, [{ ...entry, contentSignal: { 'ai-train': false } }]), /; Content-Signal/);
});

test('authors’ text cannot add links, headings, elements or lines to the catalogues (A47)', async () => {
  const nasty = 'x](https://evil.example) **b** <img src=x>\n# Heading\n- [ ] `code`';
  const hostile = {
    ...entry,
    title: nasty,
    excerpt: nasty,
    authorName: nasty,
    topics: [nasty],
    canonicalUrl: 'https://elsewhere.example/a) b',
  };
  for (const text of [formatLlmsTxt(catalogueSite, [hostile]), formatLlmsFullTxt(catalogueSite, [hostile])]) {
    const { html } = await derive(text);
    assert.doesNotMatch(html, /<img|<code|<input/);
    assert.ok(
      !html.includes('<a href="https://evil.example"') || html.includes('https://evil.example</a>'),
      'only the bare address may be a link',
    );
    // On a page, the first heading of a text has level 2, below the title.
    assert.doesNotMatch(html, />Heading</);
  }
});

test('text escaped for Markdown is read back unchanged', async () => {
  for (const text of [
    '# not a heading',
    '- no item',
    '1. no item',
    '1) no',
    '+ no',
    '> no',
    '=== no',
    '*a* _b_ `c` [d](e) ~~f~~ <g> | h \\ i',
    '&amp; &copy;',
    '![x](y)',
  ]) {
    const { plainText } = await derive(escapeMarkdown(text));
    assert.equal(plainText, text);
  }
});
