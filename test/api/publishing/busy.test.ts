/** Tests slow documents: only their author waits, and excess requests get 503. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

/** Within every limit that is checked before parsing, but takes the parser seconds. */
const SLOW = `# T\n\n${'- a\n\nb\n\n'.repeat(17_000)}`;

let api: TestApi;
before(async () => {
  api = await startTestApi({ documents: { timeLimitMs: 600, maxWaitMs: 500, maxThreads: 2 } });
});
after(() => api.close());

test('a publish that waits too long behind its author’s slow documents gives 503 with Retry-After, and another author’s succeeds (A28)', async () => {
  const bob = await api.createAuthor('bob');
  const slow = Array.from({ length: 4 }, () => api.publish({ content: SLOW }));
  const other = await api.publish({ content: '# Bob\n\nA few words.' }, { token: bob.token });
  assert.equal(other.status, 201);
  const answers = await Promise.all(slow);
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length >= 2, answers.map(({ status }) => status).join(' '));
  for (const { body, headers } of refused) {
    assert.equal(body.code, 'documents_busy');
    assert.equal(headers.get('retry-after'), '5');
    assert.match(body.detail ?? '', /Nothing was changed/);
  }
  for (const { status, body } of answers) if (status !== 503) assert.equal(body.code, 'too_complex');
  const stored = await api.db.selectFrom('articles').select('id').where('authorId', '=', api.author.id).execute();
  assert.deepEqual(stored, []);
});

test('a 503 under an Idempotency-Key releases the key for a retry', async () => {
  const headers = { 'idempotency-key': 'busy-then-free' };
  const slow = Array.from({ length: 2 }, () => api.publish({ content: SLOW }));
  const content = '# Ada\n\nA few words.';
  const refused = await api.publish({ content }, { headers });
  await Promise.all(slow);
  const { status } = refused.status === 503 ? await api.publish({ content }, { headers }) : refused;
  assert.equal(status, 201);
});
