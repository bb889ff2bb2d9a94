/** Tests that a renamed or moved account is the same account with one post. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  buildSandbox,
  DEMO_FOREM_KEY,
  DEMO_HASHNODE_PUBLICATION,
  DEMO_HASHNODE_TOKEN,
  DEMO_LINKEDIN_PERSON,
  DEMO_LINKEDIN_TOKEN,
  DEMO_MEDIUM_TOKEN,
  DEMO_MEDIUM_USER,
  DEMO_WORDPRESS,
  type Sandbox,
  type SandboxOptions,
} from '../../../sandbox/app.ts';
import { connectAccount, findAccount, listPostsAt, startWorldOfAccounts } from '../../support/api/accounts.ts';
import type { DeliveryWorld, LogEntry } from '../../support/delivery/delivery.ts';
import { listEvents, publishArticle, waitForDeliveryEnd } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'courant-moved-'));
const statePath = join(folder, 'sandbox.jsonl');

let world: DeliveryWorld;
const moved: Sandbox[] = [];
before(async () => {
  world = await startWorldOfAccounts({ sandbox: { statePath } });
});
after(async () => {
  await world.close();
  for (const sandbox of moved) await sandbox.close();
  rmSync(folder, { recursive: true });
});

const RENAMED: SandboxOptions = {
  foremAccounts: { [DEMO_FOREM_KEY]: { username: 'anna', name: 'Anna', formerName: 'demo' } },
  hashnodeAccounts: {
    [DEMO_HASHNODE_TOKEN]: {
      username: 'anna',
      name: 'Anna',
      formerName: 'demo',
      publicationId: DEMO_HASHNODE_PUBLICATION,
      isPro: true,
    },
  },
  mediumAccounts: { [DEMO_MEDIUM_TOKEN]: { id: DEMO_MEDIUM_USER, username: 'anna', name: 'Anna' } },
  linkedinAccounts: {
    [DEMO_LINKEDIN_TOKEN]: { id: DEMO_LINKEDIN_PERSON, name: 'Anna', organizationIds: [] },
  },
  wordpressSites: {
    wordpress: {
      [DEMO_WORDPRESS.username]: { ...DEMO_WORDPRESS, id: 1, name: 'Anna', nicename: 'anna', role: 'author' },
    },
  },
};

/** `isElsewhere`: ids are unique per address, so another address is another account. */
const ACCOUNTS = [
  { platform: 'forem', account: 'demo', canUpdate: true, isElsewhere: true },
  { platform: 'hashnode', account: DEMO_HASHNODE_PUBLICATION, canUpdate: true },
  { platform: 'medium', account: DEMO_MEDIUM_USER, canUpdate: false },
  { platform: 'wordpress', account: 'wordpress/demo', canUpdate: true, respell: plainPermalinks },
  { platform: 'ghost', account: 'ghost-site', canUpdate: true, respell: (url: string) => `${url}/ghost` },
  { platform: 'linkedin', account: `urn:li:person:${DEMO_LINKEDIN_PERSON}`, canUpdate: false },
];

for (const { platform, account, canUpdate, isElsewhere = false, respell = (url: string) => url } of ACCOUNTS) {
  test(`${platform}: an account that was renamed and moved to another address has one post of an article (F27)`, async () => {
    const title = `Moves with ${platform}`;
    const author = await world.api.createAuthor(`moves-with-${platform}`);
    const here = findAccount(world, platform, account);
    const { destination } = here;
    const publish = (text: string) =>
      publishArticle(world, author, { title, cross_post: { [destination]: true } }, text);
    const { account: nameBefore } = await connectAccount(world, author, here);
    const { id } = await publish('One.\n');
    const { remoteId } = await world.reaches(id, destination, 'delivered');
    await waitForDeliveryEnd(world, id, destination);

    const there = { ...world, sandboxUrl: await moveSandbox() };
    const anew = findAccount(there, platform, account);
    const { account: nameAfter } = await connectAccount(there, author, { ...anew, baseUrl: respell(anew.baseUrl) });
    if (platform !== 'ghost') assert.notEqual(nameAfter, nameBefore);
    const then = await world.reaches(id, destination, isElsewhere ? 'stale' : 'delivered');
    assert.equal(then.remoteId, isElsewhere ? null : remoteId);

    await publish('Two.\n');
    await eventually('the edit to be answered', async () => {
      const row = await world.reaches(id, destination, canUpdate ? 'delivered' : 'stale');
      return row.remoteId === remoteId && row.deliveredRevision === (canUpdate ? 2 : 1);
    });
    await waitForDeliveryEnd(world, id, destination);
    assert.equal((await listPostsAt(there, anew, title)).length, 1);
    assert.deepEqual(await listActionsAt(there.sandboxUrl, title), canUpdate ? ['create', 'update'] : ['create']);
    const events = await listEvents(world, author);
    assert.deepEqual(events, Array(canUpdate ? 2 : 1).fill('CROSS_POST_SUCCESS'));
  });
}

/** Starts a copy of the sandbox with its posts, with other account names and another port. */
async function moveSandbox(): Promise<string> {
  const copy = join(folder, `moved-${moved.length}.jsonl`);
  copyFileSync(statePath, copy);
  const baseUrl = `http://localhost:${new URL(world.api.url).port}`;
  const sandbox = await buildSandbox({ ...RENAMED, statePath: copy, rateLimits: false, baseUrl });
  moved.push(sandbox);
  return (await sandbox.listen()).url;
}

async function listActionsAt(sandboxUrl: string, title: string) {
  const log = (await (await fetch(`${sandboxUrl}/log`)).json()) as LogEntry[];
  return log.filter((entry) => entry.title === title).map(({ action }) => action);
}

/** The address after the site's permalinks were set to plain. */
function plainPermalinks(url: string): string {
  return url.replace(/\/wp-json$/, '/?rest_route=/');
}
