import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildCatalogueEntry,
  escapeMarkdown,
  formatLlmsFullTxt,
  formatLlmsTxt,
} from '../../article/discovery/catalogue.ts';
import { derive, SITE } from './support/documents.ts';
import { catalogueSite, storedArticle } from './support/stored-article.ts';

test('llms.txt has overview, topics, authors, attribution and freshness, and each article with its JSON document', () => {
  const text = formatLlmsTxt(catalogueSite, [buildCatalogueEntry(storedArticle())]);
  assert.match(text, /^# Courant\n\n> Where developers publish\./);
  assert.match(text, /## Topics\n\ntypescript, rust/);
  assert.match(text, /- \[Ada\]\(https:\/\/courant\.example\/@ada\) \(@ada\)/);
  assert.match(text, /Cite the canonical URL/);
  assert.match(text, /dateModified/);
  assert.match(
    text,
    /- \[An article\]\(https:\/\/elsewhere\.example\/an-article\) \(\[JSON\]\(https:\/\/courant\.example\/api\/geo\/posts\/an-article\)\): Ada, 2026-11-20/,
  );
});

test('llms-full.txt has byline, time, topics and abstract of at most 500 articles', () => {
  const entry = buildCatalogueEntry(storedArticle());
  const text = formatLlmsFullTxt(
    catalogueSite,
    Array.from({ length: 600 }, (_, i) => ({ ...entry, slug: `a-${i}`, title: `Article ${i}` })),
  );
  assert.equal(text.match(/^### /gm)?.length, 500);
  assert.match(
    text,
    /### \[Article 0\]\(https:\/\/elsewhere\.example\/an-article\)\n\n- Author: Ada \(@ada\)\n- Published: 2026-11-20T10:00:00\.000Z\n- Updated: 2026-11-21T10:00:00\.000Z\n- Topics: typescript\n- JSON: https:\/\/courant\.example\/api\/geo\/posts\/a-0\n\nText\./,
  );
});

test('authors’ text cannot add links, headings, elements or lines to the catalogues', async () => {
  const nasty = 'x](https://evil.example) **b** <img src=x>\n# Heading\n- [ ] `code`';
  const entry = {
    ...buildCatalogueEntry(storedArticle({ title: nasty })),
    excerpt: nasty,
    authorName: nasty,
    topics: [nasty],
    canonicalUrl: 'https://elsewhere.example/a) b',
  };
  for (const text of [formatLlmsTxt(catalogueSite, [entry]), formatLlmsFullTxt(catalogueSite, [entry])]) {
    const { html, outboundReferences } = await derive(text);
    assert.doesNotMatch(html, /<img|<code|<input/);
    assert.deepEqual(
      outboundReferences.filter(
        (url) => url.includes('evil') && !url.startsWith(SITE) && !url.startsWith('https://evil.example'),
      ),
      [],
    );
    assert.ok(
      !html.includes('<a href="https://evil.example"') || html.includes('https://evil.example</a>'),
      'only the bare address may be a link',
    );
    // A page shows a text's first heading as its second: the first is the title.
    assert.equal(html.match(/<h[12][ >]/g)?.length, 1);
  }
});

test('a text escaped for Markdown is read back as the same text', async () => {
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
