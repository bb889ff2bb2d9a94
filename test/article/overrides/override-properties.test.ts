/** Overrides of any frontmatter: the chosen values are read back, and nothing else changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseName } from '../../../article/frontmatter/field-names.ts';
import type { FieldNode } from '../../../article/frontmatter/field-node.ts';
import { type SplitDocument, splitFrontmatter } from '../../../article/frontmatter/syntax/split-frontmatter.ts';
import { applyOverrides, type Overrides } from '../../../article/overrides/apply-overrides.ts';
import { readDocument } from '../../../article/read-document.ts';
import { cleanDocument } from '../../../article/text/clean-text.ts';
import type { ArticleDraft } from '../../../article/types.ts';
import { runs } from '../../support/property-runs.ts';
import { NOW } from '../support/documents.ts';
import { frontmatterArbitrary, textArbitrary } from '../support/frontmatter-arbitrary.ts';

const flag = fc.boolean();
const overrides: fc.Arbitrary<Overrides> = fc.record(
  {
    title: textArbitrary,
    subtitle: textArbitrary,
    tags: fc.array(textArbitrary, { maxLength: 4 }),
    category: fc.constantFrom('backend', 'ai'),
    seriesId: textArbitrary,
    canonicalUrl: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    coverImage: fc.constantFrom('https://a.example/c.png', 'https://a.example/c%20d.png?x=1#y'),
    baseUrl: fc.constantFrom('https://base.example/', 'https://base.example/x/'),
    generateToc: flag,
    draft: fc.constant(true as const),
    crossPost: fc.record({ blogsite_a: flag, cms_site: flag, social_feed: flag }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

test('chosen values are read back, and the rest of the document is unchanged, in every language and layout', () => {
  fc.assert(
    fc.property(frontmatterArbitrary, overrides, (content, chosen) => {
      const before = readDraft(content);
      const values = readDraft(writeAlone(chosen));
      fc.pre(before !== null && values !== null);
      const written = applyOverrides(content, chosen);
      const after = readDraft(written);
      assert.ok(after !== null, written);

      const expected = { ...before, crossPost: { ...before.crossPost, ...chosen.crossPost } };
      for (const name of Object.keys(chosen) as (keyof typeof FIELDS)[]) {
        const [, ...fields] = FIELDS[name] ?? [];
        for (const field of fields) Object.assign(expected, { [field]: values[field] });
      }
      // `body` may change: a heading that was the title becomes text, and links follow the base.
      const others = { body: null, crossPostNamed: null };
      assert.deepEqual({ ...after, ...others }, { ...expected, ...others });
      assert.deepEqual(listOthers(written), listOthers(content), 'no other key changes');
      assert.ok(written.endsWith(cutBody(content)), 'the body keeps its bytes');
      assert.equal(applyOverrides(written, chosen), written, 'a second time changes nothing');
    }),
    { numRuns: runs(100) },
  );
});

/** The frontmatter key of each override, and the fields of the draft that depend on it. */
const FIELDS: Partial<Record<keyof Overrides, [key: string, ...(keyof ArticleDraft)[]]>> = {
  title: ['title', 'title', 'isTitleFromFileName'],
  subtitle: ['subtitle', 'subtitle'],
  tags: ['tags', 'tags'],
  category: ['category', 'category'],
  seriesId: ['series_id', 'seriesId'],
  canonicalUrl: ['canonical_url', 'canonicalUrl'],
  coverImage: ['cover_image', 'coverImage'],
  baseUrl: ['base_url', 'baseUrl'],
  generateToc: ['generate_toc', 'generateToc'],
  draft: ['draft', 'status', 'scheduledAt', 'scheduledZone'],
};

/** Only the chosen values, as JSON. */
function writeAlone(chosen: Overrides): string {
  const entries = Object.entries(chosen).map(([name, value]) => [FIELDS[name as keyof Overrides]?.[0], value]);
  const fields = Object.fromEntries(entries.filter(([key]) => key !== undefined)) as Record<string, unknown>;
  return `${JSON.stringify({ title: 'T', ...fields })}\nBody`;
}

function readDraft(content: string): ArticleDraft | null {
  const result = readDocument({ content, fileName: 'a-file.md', now: NOW });
  return result.ok ? result.draft : null;
}

function split(content: string): SplitDocument {
  const result = splitFrontmatter(cleanDocument(content).text);
  assert.ok(result.ok);
  return result.document;
}

/** Fields that no override changes. */
function listOthers(content: string): [string, unknown][] {
  const own = [...Object.values(FIELDS).map(([key]) => key), 'status', 'cross_post'];
  const others = [...split(content).fields].filter(([key]) => !own.includes(normaliseName(key)));
  return others.map(([key, node]) => [key, toValue(node)]);
}

function toValue(node: FieldNode): unknown {
  if (node.kind === 'list') return node.items.map(toValue);
  if (node.kind === 'map') return node.entries.map(([key, item]) => [key, toValue(item)]);
  // The last text of a frontmatter has no line end.
  return typeof node.value === 'string' ? node.value.trimEnd() : node.value;
}

function cutBody(content: string): string {
  const lines = content.replace(/^\ufeff/, '').split(/(?<=\n)/);
  return lines.slice(split(content).bodyLine - 1).join('');
}
