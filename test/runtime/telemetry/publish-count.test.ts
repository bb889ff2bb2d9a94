/** Publishes are counted and logged for every interface: REST, the desk in a browser, GraphQL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiMetrics } from '../../../api/plugins/telemetry/api-metrics.ts';
import { openWritePage, type Writing } from '../../api/publishing/support/writing.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { visitDesk } from '../../support/api/desk.ts';
import { eventually } from '../../support/eventually.ts';
import { listSamples } from './exposition.ts';

const metrics = createApiMetrics();
const lines: string[] = [];
let api: TestApi;
let writing: Writing;
before(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  api = await startTestApi({ temporal: '127.0.0.1:1', observed: { metrics, log } });
  writing = await openWritePage(api);
});
after(() => api.close());

/**
 * Checks the counts of `work` by `interface outcome`. Waits, because a response may arrive before
 * its count.
 */
async function counts(work: () => Promise<unknown>, expected: Record<string, number>): Promise<void> {
  const before = await readCounts();
  await work();
  const readMore = async () =>
    [...(await readCounts())]
      .map(([of, count]) => [of, count - (before.get(of) ?? 0)] as const)
      .filter(([, count]) => count > 0);
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  const due = sum(Object.values(expected));
  await eventually('the counts', async () => sum((await readMore()).map(([, count]) => count)) >= due);
  assert.deepEqual(Object.fromEntries(await readMore()), expected);
}

async function readCounts(): Promise<Map<string, number>> {
  const samples = listSamples(await metrics.registry.metrics()).filter(
    ({ name }) => name === 'courant_publishes_total',
  );
  const read = (labels: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1];
  return new Map(
    samples.map(({ labels, value }) => [`${read(labels, 'interface')} ${read(labels, 'outcome')}`, value]),
  );
}

/** Returns the id of the request in the log for this article. */
function findRequest(articleId: string | undefined): unknown {
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return entries.findLast((entry) => entry.msg === 'article published' && entry.articleId === articleId)?.reqId;
}

async function requestGraphql(query: string, variables: Record<string, unknown>, requestId: string) {
  const token = await api.sessions.issue('courant:session', api.author.id);
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-request-id': requestId },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as { errors?: unknown };
}

test('a publish by REST is counted with its outcome, as are a repeat and a rejection', async () => {
  const content = markdown({ title: 'By REST' });
  const headers = { 'idempotency-key': 'counted-once' };
  await counts(() => api.publish({ content }, { headers }), { 'rest created': 1 });
  await counts(() => api.publish({ content }, { headers }), { 'rest replayed': 1 });
  await counts(() => api.publish({ content }), { 'rest updated': 1 });
  await counts(() => api.publish({ content }, { token: 'none' }), { 'rest invalid_token': 1 });
});

test('a publish of the write page is counted and logged like one by REST', async () => {
  const text = { intent: 'publish', content: markdown({ title: 'By the desk' }) };
  const { fields } = await writing.open();
  const headers = { 'x-request-id': 'request-of-the-desk' };
  await counts(() => writing.send({ ...fields, ...text }, headers), { 'desk created': 1 });
  const article = await writing.findArticle('By the desk');
  assert.equal(findRequest(article?.id), 'request-of-the-desk');
  await counts(() => writing.send({ ...fields, ...text }), { 'desk replayed': 1 });
  const wrong = { ...text, content: markdown({ title: 'Wrong', cover_image: 'ftp://x' }) };
  for (const accept of ['text/html', 'application/json']) {
    const { fields: fresh } = await writing.open();
    await counts(() => writing.send({ ...fresh, ...wrong }, { accept }), { 'desk invalid_document': 1 });
  }
  // A preview is not a publish.
  await counts(() => writing.send({ ...fields, ...text, intent: 'preview' }), {});
});

test('a draft that the desk or GraphQL makes public is counted and logged', async () => {
  const NOW = 'mutation ($id: ID!) { publishArticleNow(id: $id) { id } }';
  const ids: (string | undefined)[] = [];
  const makeDrafts = async () => {
    for (const title of ['One draft', 'Another draft'])
      ids.push((await api.publish({ content: markdown({ title, draft: true }) })).body.data?.id);
  };
  await counts(makeDrafts, { 'rest created': 2 });
  const [byDesk, byGraphql] = ids;
  const desk = await visitDesk(api, api.author.id);
  const press = () => desk.post(`/desk/articles/${byDesk}/publish`, {}, { 'x-request-id': 'request-of-a-button' });
  await counts(press, { 'desk updated': 1 });
  assert.equal(findRequest(byDesk), 'request-of-a-button');
  const graphql = () => requestGraphql(NOW, { id: byGraphql }, 'request-of-graphql');
  await counts(graphql, { 'graphql updated': 1 });
  assert.equal(findRequest(byGraphql), 'request-of-graphql');
  const absent = () => requestGraphql(NOW, { id: '00000000-0000-4000-8000-000000000000' }, 'request-for-nothing');
  await counts(absent, { 'graphql not_found': 1 });
});
