/** GraphQL over HTTP, checked by the working group's audits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditServer } from 'graphql-http';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

/**
 * Audits that are declined on purpose: GET, which other sites can send, and a 200 for a document
 * that cannot be executed.
 */
const DECLINED = ['5A70', 'D6D5', '6A70', '572B', 'FDE2', '7B9B'];

for (const signedIn of [false, true]) {
  test(`every MUST audit of graphql-http passes ${signedIn ? 'with' : 'without'} a session`, async () => {
    const token = await api.sessions.issue('courant:session', api.author.id);
    const fetchFn = (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      if (signedIn) headers.set('authorization', `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    };
    const results = await auditServer({ url: `${api.url}/graphql`, fetchFn });
    const failed = results.filter(({ status }) => status === 'error');
    assert.deepEqual(
      failed.map(({ name }) => name),
      [],
    );
    const declined = results.filter(({ status }) => status !== 'ok').map(({ id }) => id);
    assert.deepEqual(declined.sort(), DECLINED.toSorted());
  });
}
