/** Publishes articles and reads pages as a browser. */
import assert from 'node:assert/strict';
import { markdown, type TestApi, type TestAuthor } from '../../../support/api/api.ts';
import { eventually } from '../../../support/eventually.ts';

/** Resolves when the article is derived. */
export async function publish(
  api: TestApi,
  frontmatter: Record<string, unknown>,
  { body, by }: { body?: string; by?: TestAuthor } = {},
) {
  const { body: answer } = await api.publish({ content: markdown(frontmatter, body) }, by ? { token: by.token } : {});
  assert.ok(answer.data, JSON.stringify(answer));
  const { id, slug } = answer.data;
  const derived = api.db.selectFrom('articles').select('derivedVersion').where('id', '=', id);
  await eventually('the deriver', async () => (await derived.executeTakeFirstOrThrow()).derivedVersion > 0, {
    withinMs: 120_000,
  });
  return { id, slug };
}

export async function read(from: TestApi, path: string) {
  const response = await fetch(from.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
