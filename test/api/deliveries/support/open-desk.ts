/** Opens a desk without a Temporal server, so that deliveries change only by the test. */
import assert from 'node:assert/strict';
import { markdown, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { type DeskVisitor, visitDesk } from '../../../support/api/desk.ts';

export async function openDesk(): Promise<{ api: TestApi; desk: DeskVisitor }> {
  // No server listens at this address, so no workflow runs.
  const api = await startTestApi({
    temporal: '127.0.0.1:1',
    env: { TEMPORAL_UI_URL: 'http://ui.example/namespaces/default/' },
  });
  return { api, desk: await visitDesk(api, api.author.id) };
}

/** Publishes an article and returns the response data. */
export async function publish(api: TestApi, title: string, more: Record<string, unknown> = {}, author = api.author) {
  const { body } = await api.publish({ content: markdown({ title, ...more }) }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}
