/**
 * An exported document reads as what is stored, and is the author's own unless it cannot be
 * changed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { restoreDocument } from '../../../article/export/restore-document.ts';
import type { StoredDraft } from '../../../article/export/stored-draft.ts';
import { writeDocument } from '../../../article/export/write-document.ts';
import { readDocument } from '../../../article/read-document.ts';
import type { ArticleDraft, DocumentInput } from '../../../article/types.ts';
import { runs } from '../../support/property-runs.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { NOW } from '../support/documents.ts';
import { frontmatterArbitrary } from '../support/frontmatter-arbitrary.ts';

const ID = '01234567-89ab-4cde-8f01-23456789abcd';
const { path: corpus, skip } = sharedPath('corpus');

function read(content: string, more: Partial<DocumentInput> = {}): ArticleDraft {
  const result = readDocument({ content, now: NOW, ...more });
  assert.ok(result.ok, JSON.stringify(result));
  return result.draft;
}

function store(source: string, more: Partial<DocumentInput> = {}): StoredDraft {
  return toStored(source, read(source, more));
}

function toStored(source: string, whole: ArticleDraft): StoredDraft {
  const { isTitleFromFileName: _byFile, crossPostNamed: _, slug: _slug, ...named } = whole;
  const { externalId: _id, scheduledZone: _zone, ...draft } = named;
  return { ...draft, id: ID, source };
}

/** Ignores the id, which is the article's in an export, and the spelling of a time. */
function assertSame(document: string, article: StoredDraft): void {
  const { id, source: _, ...expected } = article;
  const again = read(document);
  const { id: _id, source: _source, ...restored } = toStored(document, again);
  assert.deepEqual(restored, expected);
  assert.equal(again.externalId, id);
}

/** A sample, because some dialects have thousands of documents. */
const OF_EACH_DIALECT = 25;

test('documents of every dialect are restored as written, with their ids added', { skip }, (context) => {
  let documents = 0;
  let rewritten = 0;
  for (const dialect of readdirSync(corpus)) {
    const names = readdirSync(`${corpus}/${dialect}`);
    const step = Math.ceil(names.length / OF_EACH_DIALECT);
    for (const name of names.filter((_, index) => index % step === 0)) {
      const source = readFileSync(`${corpus}/${dialect}/${name}`, 'utf8');
      const result = readDocument({ content: source, now: NOW });
      if (!result.ok) continue;
      documents += 1;
      const article = toStored(source, result.draft);
      const document = restoreDocument(article, NOW);
      assertSame(document, article);
      if (document === writeDocument(article)) {
        rewritten += 1;
        context.diagnostic(`${dialect}/${name} was written anew`);
      } else
        assert.ok(
          document.trimEnd().endsWith(
            source
              .trimEnd()
              .split(/[\r\n]+/)
              .at(-1) ?? '',
          ),
          name,
        );
    }
  }
  assert.ok(documents > 50 && rewritten < documents / 50, `${rewritten} of ${documents} were written anew`);
});

test('values of the request are written into the document', () => {
  const source = '---\ntitle: A title # kept\n---\n\n![](a.png)\n';
  const request = { canonicalUrl: 'https://example.org/a', baseUrl: 'https://example.org/b/', coverImage: 'cover.png' };
  const article = store(source, request);
  const document = restoreDocument(article, NOW);
  assertSame(document, article);
  assert.match(document, /title: A title # kept\n/);
  assert.match(document, /cover_image: https:\/\/example.org\/b\/cover.png\n/);
});

test('the state of the article replaces that of the document', () => {
  const later = new Date(NOW.getTime() + 86_400_000);
  const states = [
    { status: 'DRAFT', scheduledAt: null },
    { status: 'PUBLISHED', scheduledAt: null },
    { status: 'SCHEDULED', scheduledAt: later },
  ] as const;
  for (const frontmatter of [
    '',
    'draft: true\n',
    'published: false\n',
    'status: SCHEDULED\nscheduled_at: 2098-01-01\n',
    'scheduled_at: 2020-01-01\n',
  ]) {
    for (const state of states) {
      const article = { ...store(`---\ntitle: T\n${frontmatter}---\n\nText.\n`), ...state };
      assertSame(restoreDocument(article, NOW), article);
    }
  }
});

test('a source that is lost or cannot be changed is replaced with a document written from the row', () => {
  const article = store(
    '---\ntitle: "A: \\"title\\""\nexcerpt: |\n  Two\n  lines\ntags: [yes, "1.0", "#x"]\nseries_id: "no"\ncross_post: { social_feed: true }\n---\n\n# Text\n',
  );
  for (const source of ['', '---\n- a list\n---\n', 'something else']) {
    const document = restoreDocument({ ...article, source }, NOW);
    assertSame(document, article);
  }
});

test('an export of any document reads as what is stored, whatever has changed', () => {
  const request = fc.record(
    {
      canonicalUrl: fc.webUrl({ withQueryParameters: true }),
      baseUrl: fc.webUrl({ withQueryParameters: true }),
      coverImage: fc.constantFrom('c.png', '/c d.png', 'https://a.example/c.png'),
    },
    { requiredKeys: [] },
  );
  const later = new Date(NOW.getTime() + 86_400_000);
  const states = fc.constantFrom(
    {},
    { status: 'DRAFT', scheduledAt: null } as const,
    { status: 'PUBLISHED', scheduledAt: null } as const,
    { status: 'SCHEDULED', scheduledAt: later } as const,
  );
  fc.assert(
    fc.property(frontmatterArbitrary, request, states, (content, fields, state) => {
      const input = { content, now: NOW, fileName: 'a-file.md', ...fields };
      const result = readDocument(input);
      if (!result.ok) return fc.pre(false);
      const article = { ...toStored(content, result.draft), ...state };
      assertSame(restoreDocument(article, NOW), article);
      assertSame(writeDocument(article), article);
    }),
    { numRuns: runs(60) },
  );
});
