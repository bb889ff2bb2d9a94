/** Hostile requests to `/graphql` are rejected at a low cost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

async function post(body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const QUERY = 'mutation ($input: ConnectInput!) { connectDestination(input: $input) { account } }';

test('an ill-typed variable of 40 KB costs about as much as a short one (A27)', async () => {
  const measure = async (input: unknown) => {
    const readUsedMs = startProcessorWatch();
    assert.equal((await post({ query: QUERY, variables: { input } })).status, 400);
    return readUsedMs();
  };
  await measure('the first request also compiles the schema');
  const short = await measure('x');
  for (const piece of ['x', ' at "x"; ', 'Field "a" is not defined ', 'Expected a ', ' cannot represent a', '; ']) {
    const text = piece.repeat(40_000 / piece.length);
    for (const input of [
      text,
      { destination: 'blogsite_a', credentials: text },
      { destination: text, credentials: [] },
    ]) {
      const hostile = await measure(input);
      assert.ok(hostile < 20 * short + 500, `${JSON.stringify(piece)}: ${hostile} ms, a short one ${short} ms`);
    }
  }
});

test('the message about a variable has its path and the reason, and never its value', async () => {
  const credentials = [{ name: 'apiKey', value: ['secret; at "made.up"; Expected nothing.'] }];
  const { text } = await post({ query: QUERY, variables: { input: { destination: 'blogsite_a', credentials } } });
  assert.doesNotMatch(text, /secret|made\.up/);
  assert.match(text, /input\.credentials\[0\]\.value/);
});

test('a body over 64 KiB returns 413, and a document of thousands of tokens 400 without being parsed fully (A27, A12)', async () => {
  assert.equal((await post({ query: '{ me { id } }', variables: { a: 'x'.repeat(70_000) } })).status, 413);
  const aliases = Array.from({ length: 5_000 }, (_, n) => `a${n}:me`).join(' ');
  const { status, text } = await post({ query: `{ ${aliases} }` });
  assert.equal(status, 400);
  assert.match(text, /tokens/);
});

test('a document nested deeper than the parser can follow returns 400, not an internal error (A27)', async () => {
  const nested = `query ($x: String = ${'['.repeat(1_900)}${']'.repeat(1_900)}) { me { id } }`;
  const { status, text } = await post({ query: nested });
  assert.equal(status, 400);
  assert.match(text, /nested too deep|Syntax Error/);
  assert.doesNotMatch(text, /Internal error|INTERNAL/);
});

test('a document that is a JSON tree is a syntax error, because no token limit applies to it (A56)', async () => {
  const select = (...names: unknown[]) => ({
    kind: 'SelectionSet',
    selections: names.map((value) => ({ kind: 'Field', name: { kind: 'Name', value } })),
  });
  const operation = (...names: unknown[]) => ({
    kind: 'Document',
    definitions: [{ kind: 'OperationDefinition', operation: 'query', selectionSet: select(...names) }],
  });
  const trees = [1, null, true, 'text', [], {}, { kind: 'Document' }, { kind: 'Document', definitions: [null] }];
  const more = [operation('__typename'), operation(['__schema']), { ...operation('me'), loc: { start: 0, end: 1 } }];
  for (const tree of [...trees, ...more]) {
    const query = JSON.stringify(tree);
    // Twice: a rejected document is not cached.
    for (const { status, text } of [await post({ query }), await post({ query })]) {
      assert.equal(status, 400, `${query}: ${text}`);
      assert.match(text, /Syntax Error/, query);
    }
  }
});
