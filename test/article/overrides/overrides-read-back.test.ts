/** Documents and overrides of many kinds: written values are read back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyOverrides, type Overrides } from '../../../article/overrides/apply-overrides.ts';
import { readDocument } from '../../../article/read-document.ts';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { runs } from '../../support/property-runs.ts';
import { NOW } from '../support/documents.ts';

test('overridden values are read back, and everything else is unchanged', () => {
  fc.assert(
    fc.property(documents, overrides, (content, chosen) => {
      const before = readDocument({ content, now: NOW });
      const written = applyOverrides(content, chosen);
      assert.equal(applyOverrides(written, chosen), written, 'a second time changes nothing');
      const after = readDocument({ content: written, now: NOW });
      assert.ok(before.ok && after.ok, `${content}\n${written}`);
      assert.ok(written.endsWith(cutFrontmatter(content)), 'the body keeps its bytes');
      const expected = { ...before.draft };
      if (chosen.title !== undefined) expected.title = chosen.title;
      if (chosen.subtitle !== undefined) expected.subtitle = chosen.subtitle;
      if (chosen.tags !== undefined) expected.tags = [...new Set(chosen.tags)];
      if (chosen.category !== undefined) expected.category = chosen.category;
      if (chosen.generateToc !== undefined) expected.generateToc = chosen.generateToc;
      if (chosen.draft === true) Object.assign(expected, { status: 'DRAFT', scheduledAt: null });
      if (chosen.crossPost !== undefined) {
        expected.crossPost = { ...expected.crossPost, ...chosen.crossPost };
        expected.crossPostNamed = [...expected.crossPostNamed, ...DESTINATION_KEYS].filter(
          (key, i, all) => all.indexOf(key) === i,
        );
        expected.crossPostNamed = expected.crossPostNamed.filter(
          (key) => chosen.crossPost?.[key] ?? before.draft.crossPostNamed.includes(key),
        );
      }
      assert.deepEqual(
        { ...after.draft, crossPostNamed: [...after.draft.crossPostNamed].sort() },
        { ...expected, crossPostNamed: [...expected.crossPostNamed].sort() },
      );
    }),
    { numRuns: runs(200) },
  );
});

const words = fc
  .stringMatching(/^[A-Za-z0-9äß:#"'!&*@%,-][A-Za-z0-9äß :#"'!&*@%,-]{0,20}[A-Za-z0-9]$/)
  .map((text) => text.replace(/ +/g, ' '));
const tag = fc.stringMatching(/^[a-z0-9][a-z0-9.]{0,8}$/);
const flag = fc.boolean();

const overrides: fc.Arbitrary<Overrides> = fc.record(
  {
    title: words,
    subtitle: words,
    tags: fc.array(tag, { maxLength: 4 }),
    category: fc.constantFrom('backend', 'ai'),
    generateToc: flag,
    draft: fc.constant(true as const),
    crossPost: fc.record({ blogsite_a: flag, cms_site: flag }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const yamlLines = fc.record({
  title: words,
  subtitle: fc.option(words),
  tags: fc.array(tag),
  toc: fc.option(flag),
  scheduled: flag,
  comment: words,
  extra: words,
});
const documents = fc.oneof(
  yamlLines.map(
    (f) =>
      `---\n# ${f.comment.replace(/[\r\n]/g, '')}\ntitle: ${JSON.stringify(f.title)} # note\n${f.subtitle === null ? '' : `subtitle: ${JSON.stringify(f.subtitle)}\n`}extra:\n  - ${JSON.stringify(f.extra)}\ntags: ${JSON.stringify(f.tags)}\n${f.toc === null ? '' : `generate_toc: ${f.toc ? 'yes' : 'off'}\n`}${f.scheduled ? 'scheduled_at: 2027-01-01T00:00:00Z\n' : ''}cross_post:\n  social_feed: true # share\n---\n\nBody  \n\n---\n\nmore\n`,
  ),
  yamlLines.map(
    (f) =>
      `+++\n# ${f.comment}\ntitle = ${JSON.stringify(f.title)} # note\n${f.subtitle === null ? '' : `subtitle = ${JSON.stringify(f.subtitle)}\n`}tags = ${JSON.stringify(f.tags)}\n${f.toc === null ? '' : `generate_toc = ${f.toc}\n`}\n[extra]\ntitle = ${JSON.stringify(f.extra)}\n+++\n\nBody  \n`,
  ),
  fc.constant('Body without frontmatter.\n\n# Heading\n'),
  fc.tuple(yamlLines, fc.constantFrom(undefined, 2, '\t'), flag).map(([f, indent, isFenced]) => {
    const { title, subtitle, tags, extra } = f;
    const json = JSON.stringify({ Title: title, subtitle, tags, extra: { a: [extra] } }, null, indent);
    return isFenced ? `;;;\n${json}\n;;;\n\nBody  \n` : `${json}\n\nBody  \n`;
  }),
);

function cutFrontmatter(content: string): string {
  const fence = content.slice(0, 3);
  if (content.startsWith('{')) return content.slice(content.indexOf('\n\nBody') + 1);
  if (!['---', '+++', ';;;'].includes(fence)) return content;
  return content.slice(content.indexOf(`\n${fence}\n`, 3) + 5);
}
