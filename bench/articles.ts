/**
 * Creates articles for benchmarks: publishes them, or copies them in the database if many are
 * needed.
 */
import { sql } from 'kysely';
import type { Database } from '../store/db/database.ts';
import { waitUntil } from './measure.ts';
import type { BenchServices } from './publish/services.ts';

const BATCH = 5_000;

/** Returns the slug. `frontmatter` contains further lines. */
export async function publish(
  { apiUrl, token }: BenchServices,
  title: string,
  body: string,
  frontmatter = '',
): Promise<string> {
  const response = await fetch(`${apiUrl}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: `---\ntitle: ${title}\n${frontmatter}---\n${body}` }),
  });
  const answer = (await response.json()) as { data?: { slug: string } };
  if (!answer.data) throw new Error(`a publish was refused: ${JSON.stringify(answer)}`);
  return answer.data.slug;
}

/** Waits until all pages have their descriptions. */
export function waitForDescriptions(db: Database): Promise<void> {
  return waitUntil('the description', async () => {
    const { rows } = await sql`select 1 from articles where status = 'PUBLISHED' and derived_version = 0`.execute(db);
    return rows.length === 0;
  });
}

/** Copies the article with this slug. Each copy has its own address. */
export async function copyArticle(db: Database, slug: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += BATCH) {
    const to = Math.min(count, from + BATCH - 1);
    await sql`
      insert into articles (author_id, slug, title, title_key, canonical_key, body, source, content_hash, fingerprint, derived, derived_version,
        derived_at, cross_post, status, published_at, updated_at, created_at, tags)
      select author_id, 'filled-' || n, 'Filled ' || n, 'filled ' || n, 'self:filled-' || n, '', '', content_hash, fingerprint, derived,
        derived_version, derived_at, cross_post, status, published_at - n * interval '1 minute', updated_at, created_at, array['tag' || n % 50]
      from articles, generate_series(${from}::int, ${to}::int) n where slug = ${slug} on conflict do nothing`.execute(
      db,
    );
  }
  // Otherwise autovacuum and a checkpoint could run during a measurement.
  for (const table of ['articles', 'article_changes']) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  await sql`checkpoint`.execute(db);
}

/** A page of typical length with every element that takes space. */
export const LONG_BODY = `${'A paragraph with *emphasis*, `code` and [a link](https://example.org/).\n\n'.repeat(20)}
## Code

\`\`\`ts title="src/measure.ts"
${'export const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);\n'.repeat(8)}\`\`\`

## A table

| page | size | time |
|:-----|-----:|-----:|
${'| home | 20 KB | 12 ms |\n'.repeat(8)}
> [!NOTE]
> A footnote follows.[^1]

[^1]: Here.
`;
