/** Reads the REST list of articles, and waits until all articles are derived. */
import assert from 'node:assert/strict';
import type { ArticleEntry } from '../../../../api/articles/listing/schemas.ts';
import { DERIVED_VERSION } from '../../../../article/derived-version.ts';
import type { TestApi } from '../../../support/api/api.ts';
import { eventually } from '../../../support/eventually.ts';

export interface ListBody {
  data: ArticleEntry[];
  next: string | null;
  code?: string;
  errors?: { path: string; message: string }[];
}

export async function requestList(api: TestApi, parameters: Record<string, string>) {
  const response = await fetch(`${api.url}/api/v1/articles?${new URLSearchParams(parameters)}`);
  return { status: response.status, headers: response.headers, body: (await response.json()) as ListBody };
}

export function titles({ data }: ListBody): string[] {
  return data.map(({ title }) => title);
}

/** Reads all pages of a list and runs `between` after each. Returns the slugs. */
export async function readAllSlugs(
  api: TestApi,
  parameters: Record<string, string>,
  between = (): Promise<void> => Promise.resolve(),
) {
  const found: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { status, body }: { status: number; body: ListBody } = await requestList(api, {
      ...parameters,
      ...(after && { after }),
    });
    assert.equal(status, 200);
    found.push(...body.data.map(({ slug }) => slug));
    after = body.next;
    await between();
  }
  return found;
}

export async function waitUntilAllDerived(api: TestApi): Promise<void> {
  await eventually(
    'all articles to have their words',
    async () => {
      const { count } = await api.db
        .selectFrom('articles')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('status', '<>', 'DRAFT')
        .where('derivedVersion', '<', DERIVED_VERSION)
        .executeTakeFirstOrThrow();
      return count === 0;
    },
    { withinMs: 120_000 },
  );
}
