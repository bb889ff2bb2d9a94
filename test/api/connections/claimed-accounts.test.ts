/** An account identity reported by one server has no effect on accounts at another server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listConnectableAccounts } from '../../../sandbox/connectable-accounts.ts';
import { listOtherPosts } from '../../../store/copies/post-owner.ts';
import { startSandbox } from '../../destinations/destination-harness.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { CONNECT } from './connection-requests.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
});
after(() => api.close());

const PLATFORMS = ['hashnode', 'medium', 'wordpress', 'ghost', 'linkedin'] as const;

for (const platform of PLATFORMS) {
  test(`${platform}: a server that claims another author’s account cannot claim posts of that account (F27, A18)`, async (context) => {
    const { url: real } = await startSandbox(context);
    // The false server responds exactly like the real one, at another address.
    const { url: false_ } = await startSandbox(context);
    const [owner, liar, partner] = await Promise.all(
      ['owner', 'liar', 'partner'].map((name) => api.createAuthor(`${name}-at-${platform}`)),
    );
    assert.ok(owner && liar && partner);
    const own = await deliver(owner, real, platform, 'own');
    await deliver(liar, false_, platform, 'claimed');
    assert.equal(own.identity, (await deliver(liar, false_, platform, 'claimed too')).identity);
    const { accountId, articleId } = own;
    const isTaken = async (id: string) => (await listOtherPosts(api.db, { accountId, articleId })).has(id);
    assert.deepEqual([await isTaken('claimed'), await isTaken('claimed too')], [false, false]);
    assert.deepEqual([...(await listOtherPosts(api.db, { accountId, articleId }))], []);

    await deliver(partner, real, platform, 'of the partner');
    assert.equal(await isTaken('of the partner'), true, 'who asked the same server');
    const input = findInput(false_, platform, 1);
    assert.equal((await runGraphql(api, partner.id, CONNECT, { input })).code, undefined);
    assert.equal(await isTaken('of the partner'), true, 'also while another account is connected');
  });
}

/**
 * Connects the platform's first account at this sandbox, and records a copy with `remoteId` there.
 */
async function deliver(author: TestAuthor, sandboxUrl: string, platform: string, remoteId: string) {
  const input = findInput(sandboxUrl, platform, 0);
  const connected = await runGraphql(api, author.id, CONNECT, { input });
  assert.ok(connected.data?.connectDestination, connected.text);
  const { accountId } = await api.db
    .selectFrom('connections')
    .select('accountId')
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  const { identity } = await api.db
    .selectFrom('accounts')
    .select('identity')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { body } = await api.publish({ content: markdown({ title: remoteId }) }, { token: author.token });
  const articleId = body.data?.id ?? '';
  await api.db.insertInto('copies').values({ articleId, accountId, remoteId, presence: 'live' }).execute();
  return { accountId, identity, articleId };
}

function findInput(sandboxUrl: string, platform: string, index: number) {
  const accounts = listConnectableAccounts(sandboxUrl).filter((account) => account.platform === platform);
  const found = accounts[index];
  assert.ok(found, platform);
  const { account: _, ...input } = found;
  return input;
}
