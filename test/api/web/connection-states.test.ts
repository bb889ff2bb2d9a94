/**
 * The pages of connections in all states, with all attributes.
 * `node --test --test-update-snapshots test/api/web/connection-states.test.ts` writes them.
 */
import { after, before, test } from 'node:test';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { startSandbox, startServer } from '../../destinations/destination-harness.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { openVisitor, type Visitor } from '../accounts/settings-support.ts';
import { recordStates, sendAndFollow } from './support/record-states.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const PATH = '/desk/settings/connections';

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({
    temporal: '127.0.0.1:1',
    now: () => NOW,
    env: { ALLOW_PRIVATE_DESTINATIONS: 'true' },
  });
});
after(() => api.close());

type Destination = 'blogsite_a' | 'blogsite_b' | 'cms_site';

interface State {
  platform: string;
  name: string | null;
  status?: 'active' | 'unauthorised';
  statusReason?: string;
  blockedUntil?: Date;
}

/** Connects an account. Returns its id. */
async function addConnection(visitor: Visitor, destination: Destination, { name, ...state }: State): Promise<string> {
  const { userId } = visitor;
  const connection = { userId, destination, platform: state.platform, baseUrl: 'https://site.example' };
  const account = { identity: userId, name };
  const accountId = await findOrCreateAccount(api.db, { ...connection, account });
  await api.db
    .insertInto('connections')
    .values({ ...connection, accountId, ...state, credentialsSealed: Buffer.alloc(1), createdAt: NOW, updatedAt: NOW })
    .execute();
  return accountId;
}

async function publish(visitor: Visitor, titles: readonly string[], destination: Destination): Promise<string[]> {
  const { token } = await createDeveloperToken(api.db, { userId: visitor.userId, name: 'of tests', now: NOW });
  const ids: string[] = [];
  for (const [index, title] of titles.entries()) {
    const content = markdown({ title, id: title.toLowerCase(), cross_post: { [destination]: true } });
    const { body } = await api.publish({ content }, { token });
    const id = body.data?.id ?? '';
    // Lists order articles by this time.
    const publishedAt = new Date(NOW.getTime() - (titles.length - index) * 1_000);
    await api.db.updateTable('articles').set({ publishedAt }).where('id', '=', id).execute();
    ids.push(id);
  }
  return ids;
}

/** Adds a copy, and the attempt that delivered it. */
async function addDelivery(articleId: string, accountId: string, remoteUrl: string | null, endedAt = NOW) {
  const copy = { articleId, accountId, remoteId: articleId, remoteUrl, presence: 'live' as const };
  const { id: copyId } = await api.db.insertInto('copies').values(copy).returning('id').executeTakeFirstOrThrow();
  const delivery = await api.db
    .insertInto('deliveries')
    .values({ articleId, destination: 'blogsite_a' })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doUpdateSet({ destination: 'blogsite_a' }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('deliveryAttempts')
    .values({
      ...{ deliveryId: delivery.id, accountId, copyId, action: 'create', revision: 1, dispatch: 1, contentHash: 'x' },
      ...{ lookUp: '{}', outcome: 'delivered', startedAt: endedAt, endedAt },
    } as never)
    .execute();
}

test('connections in every state, and articles that can be sent', async (context) => {
  const visitor = await openVisitor(api, 'connected-author');
  const [first = '', second = ''] = await publish(visitor, ['First', 'Second <b>'], 'blogsite_a');
  const account = await addConnection(visitor, 'blogsite_a', { platform: 'forem', name: '@ada' });
  const offered = await visitor.get(`${PATH}/blogsite_a`);
  await addDelivery(first, account, 'https://dev.example/1', new Date('2026-11-20T08:00:00Z'));
  const oneCopy = await visitor.get(`${PATH}/blogsite_a`);
  const none = await sendAndFollow(visitor, `${PATH}/blogsite_a/send`, { article: 'first' });
  const sent = await sendAndFollow(visitor, `${PATH}/blogsite_a/send`, { article: second });
  await addDelivery(second, account, 'javascript:alert(1)');
  const twoCopies = await visitor.get(`${PATH}/blogsite_a`);
  const blocked = { blockedUntil: new Date('2026-11-21T12:30:00Z') };
  await addConnection(visitor, 'blogsite_b', { platform: 'hashnode', name: null, ...blocked });
  await addConnection(visitor, 'cms_site', { platform: 'ghost', name: '<b>', status: 'unauthorised' });
  const list = await visitor.get(PATH);
  await api.db
    .updateTable('connections')
    .set({ blockedUntil: NOW, status: 'unauthorised', statusReason: 'The key was revoked.' })
    .where('userId', '=', visitor.userId)
    .where('destination', '=', 'blogsite_b')
    .execute();
  await publish(visitor, ['Third'], 'cms_site');
  recordStates(api, context, 'connections', [
    ['two articles to send, no copies', offered],
    ['one article to send, one copy', oneCopy],
    ['nothing selected', none],
    ['sent', sent],
    ['two copies', twoCopies],
    ['active, paused and refused', list],
    ['the pause is over, the refusal has a reason', await visitor.get(PATH)],
    ['refused', await visitor.get(`${PATH}/cms_site`)],
    ['replaced by an account of another platform', await visitor.get(`${PATH}/cms_site/new?platform=wordpress`)],
    ['replaced, without a name', await visitor.get(`${PATH}/blogsite_b/new`)],
    ['unknown destination', await visitor.get(`${PATH}/nowhere`)],
    ['platform of another destination', await visitor.get(`${PATH}/cms_site/new?platform=forem`)],
    ['the stored credential is unreadable', await visitor.send(`${PATH}/cms_site/test`)],
    ['a new credential is incomplete', await visitor.send(`${PATH}/cms_site/reconnect`, { adminKey: ' ' })],
    ['disconnected', await sendAndFollow(visitor, `${PATH}/cms_site/disconnect`)],
    ['disconnected twice', await sendAndFollow(visitor, `${PATH}/cms_site/disconnect`)],
    ['tested, not connected', await visitor.send(`${PATH}/cms_site/test`)],
  ]);
});

test('accounts that are connected, reconnected and refused', async (context) => {
  const { url } = await startSandbox(context);
  const moved = await startServer(context, (_request, response) => {
    response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
  });
  const visitor = await openVisitor(api, 'connecting-author');
  const path = `${PATH}/blogsite_a`;
  const connect = (fields: object) => sendAndFollow(visitor, `${path}/new`, { platform: 'forem', ...fields });
  const baseUrl = `${url}/forem/api`;
  const answers = [
    ['connected', await connect({ baseUrl, apiKey: DEMO_FOREM_KEY })],
    ['tested', await sendAndFollow(visitor, `${path}/test`)],
    ['reconnected', await sendAndFollow(visitor, `${path}/reconnect`, { apiKey: DEMO_FOREM_KEY })],
    ['the new credential is refused', await visitor.send(`${path}/reconnect`, { apiKey: 'wrong' })],
    ['the credential is refused', await connect({ baseUrl, apiKey: 'wrong' })],
    ['the address has moved', await connect({ baseUrl: moved, apiKey: 'wrong' })],
    ['no credential', await connect({ baseUrl, apiKey: ' ' })],
    ['a credential with an invalid character', await connect({ baseUrl, apiKey: 'ключ' })],
    ['no address', await visitor.send(`${PATH}/cms_site/new`, { platform: 'ghost', adminKey: 'a:b' })],
    ['a malformed address', await connect({ baseUrl: 'a b', apiKey: 'x' })],
  ] as const;
  const pages = answers.map(([title, page]) => {
    const text = page.text.replaceAll(url, '{sandbox}').replaceAll(moved, '{moved}');
    return [title, { ...page, text }] as const;
  });
  recordStates(api, context, 'connecting', pages);
});
