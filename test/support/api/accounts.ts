/** Connects sandbox accounts through the API, with a probe, and lists their posts. */
import assert from 'node:assert/strict';
import type { DestinationKey } from '../../../article/types.ts';
import { listConnectableAccounts } from '../../../sandbox/connectable-accounts.ts';
import { type DeliveryWorld, type DeliveryWorldOptions, startDeliveryWorld } from '../delivery/delivery.ts';
import type { TestAuthor } from './api.ts';
import { runGraphql } from './graphql.ts';

export type SandboxAccount = ReturnType<typeof listConnectableAccounts>[number];

export interface SandboxPost {
  platform: DestinationKey;
  account: string;
  remoteId: string;
  title: string;
  status: string;
  byHand: boolean;
  changedAt: string;
}

/** Starts a world with an API that may call the sandbox. */
export function startWorldOfAccounts(options: DeliveryWorldOptions = {}): Promise<DeliveryWorld> {
  return startDeliveryWorld({ ...options, api: { ...options.api, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
}

/** Returns the account with this name in the sandbox's log. */
export function findAccount({ sandboxUrl }: DeliveryWorld, platform: string, account: string): SandboxAccount {
  const found = listConnectableAccounts(sandboxUrl).find(
    (candidate) => candidate.platform === platform && candidate.account === account,
  );
  assert.ok(found, `${platform} ${account}`);
  return found;
}

const CONNECT = 'mutation ($input: ConnectInput!) { connectDestination(input: $input) { account baseUrl status } }';

export async function connectAccount(
  { api }: DeliveryWorld,
  author: TestAuthor,
  { account: _, ...input }: SandboxAccount,
): Promise<{ account: string | null; baseUrl: string }> {
  const { data, text } = await runGraphql(api, author.id, CONNECT, { input });
  assert.ok(data?.connectDestination, text);
  return data.connectDestination;
}

export async function disconnect({ api }: DeliveryWorld, author: TestAuthor, destination: DestinationKey) {
  const { data, text } = await runGraphql(
    api,
    author.id,
    'mutation ($destination: Destination!) { disconnectDestination(destination: $destination) }',
    { destination },
  );
  assert.equal(data?.disconnectDestination, true, text);
}

/** Unpublishes or deletes an article. Returns the copies of the response. */
export async function withdrawal(
  { api }: DeliveryWorld,
  author: TestAuthor,
  command: 'unpublishArticle' | 'deleteArticle',
  id: string,
): Promise<{ url: string; account: string | null; isWithdrawn: boolean; message: string }[]> {
  const query = `mutation ($id: ID!) { ${command}(id: $id) { copies { url account isWithdrawn message } } }`;
  const { data, text } = await runGraphql(api, author.id, query, { id });
  assert.ok(data?.[command], text);
  return data[command].copies;
}

export async function listSandboxPosts({ sandboxUrl }: DeliveryWorld): Promise<SandboxPost[]> {
  return (await (await fetch(`${sandboxUrl}/posts`)).json()) as SandboxPost[];
}

/** Lists the posts with this title at one account. */
export async function listPostsAt(world: DeliveryWorld, { account }: SandboxAccount, title: string) {
  const posts = await listSandboxPosts(world);
  return posts.filter((post) => post.account === account && post.title.includes(title));
}
