/** Suspension of an author ends sessions and streams at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../../store/users/create-user.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { hashCheaply } from '../../support/api/passwords.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const suspend = (id: string) =>
  api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', id).execute();

async function runGraphql(query: string, session?: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(session && { authorization: `Bearer ${session}` }) },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { code?: string; errors?: { extensions: { code: string } }[] };
  return { status: response.status, code: body.code ?? body.errors?.[0]?.extensions.code };
}

test('the session and a login of a suspended author are rejected at once with the reason', async () => {
  const { id } = await createUser(api.db, {
    username: 'held',
    name: 'held',
    email: 'held@example.org',
    passwordHash: await hashCheaply('a good long password'),
    now: new Date(),
  });
  const session = await api.sessions.issue('courant:session', id);
  assert.equal((await runGraphql('{ me { username } }', session)).status, 200);
  await suspend(id);
  assert.deepEqual(await runGraphql('{ me { username } }', session), { status: 403, code: 'author_suspended' });
  const token = await fetch(`${api.url}/notifications/sse-token`, { headers: { authorization: `Bearer ${session}` } });
  assert.equal(token.status, 403);
  const login = 'mutation { login(email: "held@example.org", password: "a good long password") { accessToken } }';
  assert.equal((await runGraphql(login)).code, 'SUSPENDED');
});

test('an open stream of a suspended author ends, and streams of other users stay open', async () => {
  const [suspended, other] = [await api.createAuthor('held-stream'), await api.createAuthor('other-stream')];
  const [suspendedToken, otherToken] = await Promise.all(
    [suspended, other].map(({ id }) => api.sessions.issue('courant:stream', id)),
  );
  const stream = await openStream(api.url, suspendedToken ?? '');
  const others = await openStream(api.url, otherToken ?? '');
  await suspend(suspended.id);
  await stream.ended;
  assert.equal(await Promise.race([others.ended, 'goes on']), 'goes on');
  const again = await fetch(`${api.url}/notifications/stream?token=${suspendedToken}`, {
    headers: { 'last-event-id': '0' },
  });
  assert.equal(again.status, 204);
  others.close();
});

test('the session of a deleted account is rejected', async () => {
  const { id } = await api.createAuthor('soon-gone');
  const session = await api.sessions.issue('courant:session', id);
  await api.db.deleteFrom('users').where('id', '=', id).execute();
  assert.deepEqual(await runGraphql('{ me { username } }', session), { status: 401, code: 'unauthenticated' });
});
