/** The desk leads an operator through name, first destination and first article. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { openVisitor, type Visitor } from '../accounts/settings-support.ts';

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
});
after(() => api.close());

const change = (visitor: Visitor, set: { isOperator?: boolean; name?: string; bio?: string }) =>
  api.db.updateTable('users').set(set).where('id', '=', visitor.userId).execute();

/** Title and state of each step of the panel; null without a panel. */
async function readSetUp(visitor: Visitor, path = '/desk'): Promise<string[] | null> {
  const { text } = await visitor.get(path);
  const [panel] = /<section class="card steps"><h2>Set up this site<\/h2>.*?<\/section>/s.exec(text) ?? [];
  if (panel === undefined) return null;
  return [...panel.matchAll(/<span class="state \w+">([^<]+)<\/span>(?:<div>)?<h3>([^<]+)</g)].map(
    ([, state, title]) => `${title}: ${state}`,
  );
}

test('an operator completes name, destination and article in any order, and the panel disappears', async () => {
  const visitor = await openVisitor(api, 'hostess');
  await change(visitor, { name: 'hostess' });
  assert.equal(await readSetUp(visitor), null);
  await change(visitor, { isOperator: true });
  const names = ['Set your name', 'Connect the first destination', 'Publish the first article'];
  const describe = (...states: string[]) => names.map((name, index) => `${name}: ${states[index]}`);
  assert.deepEqual(await readSetUp(visitor), describe('To do', 'To do', 'To do'));

  const { token } = await createDeveloperToken(api.db, { userId: visitor.userId, name: 'CI', now: new Date() });
  await api.publish({ content: markdown({ title: 'A draft', draft: true }) }, { token });
  assert.deepEqual(await readSetUp(visitor), describe('To do', 'To do', 'To do'), 'a draft is no first article');
  await api.publish({ content: markdown({ title: 'The first' }) }, { token });
  assert.deepEqual(await readSetUp(visitor), describe('To do', 'To do', 'Done'));
  assert.match((await visitor.get('/desk')).text, /A draft/, 'the articles follow the panel');
  assert.equal(await readSetUp(visitor, '/desk?state=drafts'), null);

  await change(visitor, { bio: 'Runs this site.' });
  assert.deepEqual(await readSetUp(visitor), describe('Done', 'To do', 'Done'));
  await connectDestination(api.db, createSealer(Buffer.alloc(32)), {
    ...{ userId: visitor.userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://dev.to/api' },
    ...{ credentials: { apiKey: 'k' }, account: { identity: '1', name: '@hostess' } },
  });
  assert.equal(await readSetUp(visitor), null);
});

test('a name that differs from the user name is set, and other authors keep their own first steps', async () => {
  const operator = await openVisitor(api, 'host');
  await change(operator, { isOperator: true });
  assert.equal((await readSetUp(operator))?.[0], 'Set your name: Done');
  const author = await openVisitor(api, 'guest');
  assert.equal(await readSetUp(author), null);
  assert.match((await author.get('/desk')).text, /<h2>Your first publish<\/h2>/);
});
