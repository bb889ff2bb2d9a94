/** Short ways to read and derive documents in tests. */
import assert from 'node:assert/strict';
import { deriveArticle } from '../../../article/derive.ts';
import { readDocument } from '../../../article/read-document.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, Notice, Problem } from '../../../article/types.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');
export const SITE = 'https://courant.example';

/** A document with this frontmatter (lines between the fences) and body. */
export function withFrontmatter(frontmatter: string, body = 'Text.\n'): string {
  return `---\n${frontmatter}\n---\n\n${body}`;
}

export function read(content: string, input: Partial<DocumentInput> = {}): { draft: ArticleDraft; warnings: Notice[] } {
  const result = readDocument({ content, now: NOW, ...input });
  assert.ok(result.ok, `refused: ${JSON.stringify(result.ok ? [] : result.problems)}`);
  return { draft: result.draft, warnings: result.warnings };
}

export function refuse(content: string, input: Partial<DocumentInput> = {}): Problem[] {
  const result = readDocument({ content, now: NOW, ...input });
  assert.ok(!result.ok, 'the document was taken');
  return result.problems;
}

/** A body under the title "Title", derived without highlighting by default. */
export async function derive(
  body: string,
  frontmatter = 'title: Title',
  { highlight }: { highlight: boolean } = { highlight: false },
): Promise<DerivedArticle> {
  return deriveArticle(read(withFrontmatter(frontmatter, body)).draft, { siteOrigin: SITE, highlight });
}

export function listCodes(warnings: Notice[]): string[] {
  return warnings.map(({ code }) => code);
}
