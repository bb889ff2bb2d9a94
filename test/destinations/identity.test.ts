/**
 * Account identity: independent of names and of the address's spelling, and different for every
 * other account.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Platform, ProbedAccount } from '../../destinations/types.ts';
import {
  DEMO_FOREM_KEY,
  DEMO_HASHNODE_PUBLICATION,
  DEMO_HASHNODE_TOKEN,
  DEMO_LINKEDIN_ORGANIZATION,
  DEMO_LINKEDIN_PERSON,
  DEMO_LINKEDIN_TOKEN,
  DEMO_MEDIUM_TOKEN,
  DEMO_MEDIUM_USER,
  DEMO_WORDPRESS,
  type SandboxOptions,
} from '../../sandbox/app.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/connectable-accounts.ts';
import { expectDone, openClient, startSandbox } from './destination-harness.ts';
import { ROWS } from './rows/index.ts';
import type { Row } from './rows/types.ts';

/** The first account under another name. Absent if its name is the site's. */
const RENAMED: Partial<Record<Platform, SandboxOptions>> = {
  forem: { foremAccounts: { [DEMO_FOREM_KEY]: { username: 'anna', name: 'Anna', formerName: 'demo' } } },
  hashnode: {
    hashnodeAccounts: {
      [DEMO_HASHNODE_TOKEN]: {
        username: 'anna',
        name: 'Anna',
        formerName: 'demo',
        publicationId: DEMO_HASHNODE_PUBLICATION,
        isPro: true,
      },
    },
  },
  medium: { mediumAccounts: { [DEMO_MEDIUM_TOKEN]: { id: DEMO_MEDIUM_USER, username: 'anna', name: 'Anna' } } },
  linkedin: {
    linkedinAccounts: { [DEMO_LINKEDIN_TOKEN]: { id: DEMO_LINKEDIN_PERSON, name: 'Anna', organizationIds: [] } },
  },
  wordpress: {
    wordpressSites: {
      wordpress: { [DEMO_WORDPRESS.username]: { ...DEMO_WORDPRESS, id: 1, name: 'Anna', role: 'author' } },
    },
  },
};

/** The stored address, followed by spellings that an author may enter. */
const SPELLINGS: Record<Platform, [stored: string, ...others: string[]][]> = {
  forem: [
    [
      'https://dev.to/api',
      'https://dev.to',
      'https://dev.to/',
      'HTTPS://DEV.to:443/api/',
      'https://dev.to/api/v1/?x#y',
    ],
    ['https://example.com/forem/api', 'https://example.com/forem', 'https://example.com/forem//api'],
  ],
  hashnode: [['https://gql-beta.hashnode.com', 'https://GQL-beta.hashnode.com/', 'https://gql-beta.hashnode.com:443']],
  medium: [
    ['https://api.medium.com/v1', 'https://api.medium.com', 'https://API.medium.com/v1/'],
    ['https://proxy.example/medium', 'https://proxy.example/medium/'],
  ],
  linkedin: [['https://api.linkedin.com', 'https://api.linkedin.com/', 'https://API.linkedin.com/rest/']],
  wordpress: [],
  ghost: [],
};

for (const row of ROWS) {
  const { destination } = row;
  const { platform, connection } = destination;
  const { defaultBaseUrl } = connection;

  describe(destination.label, () => {
    const renamed = RENAMED[platform];
    if (renamed) {
      test('a renamed account is the same account under its new name', async (context) => {
        const before = await probe(row, (await startSandbox(context)).url);
        const after = await probe(row, (await startSandbox(context, renamed)).url);
        assert.equal(stripHost(after.account), stripHost(before.account));
        if (platform !== 'wordpress') assert.notEqual(after.name, before.name);
      });
    }

    test('all accounts of a platform are different, also across sites', async (context) => {
      const { url } = await startSandbox(context);
      const accounts = SANDBOX_ACCOUNTS.filter((account) => account.platform === platform);
      const seen = new Set<string>();
      for (const { path, credentials } of accounts) {
        const { account } = await probe({ ...row, path, credentials, entered: { credentials } }, url);
        seen.add(account);
      }
      assert.ok(accounts.length > 1);
      assert.equal(seen.size, accounts.length, [...seen].join(', '));
    });

    test('every spelling of an address has the same normal form', () => {
      for (const [stored, ...others] of SPELLINGS[platform]) {
        for (const address of [stored, ...others]) assert.equal(destination.normalizeBaseUrl(address), stored, address);
      }
      if (defaultBaseUrl !== null) assert.equal(destination.normalizeBaseUrl(defaultBaseUrl), defaultBaseUrl);
      assert.equal(destination.normalizeBaseUrl('no address'), 'no address');
    });
  });
}

test('globally unique ids do not depend on the address of the request', async (context) => {
  const [first, second] = [await startSandbox(context), await startSandbox(context)];
  for (const row of ROWS.filter(({ destination }) =>
    ['hashnode', 'medium', 'linkedin'].includes(destination.platform),
  )) {
    assert.equal((await probe(row, first.url)).account, (await probe(row, second.url)).account, row.destination.label);
  }
});

test('a Forem is identified by its site, in every spelling of its address', async (context) => {
  const { url } = await startSandbox(context);
  const forem = ROWS.find(({ destination }) => destination.platform === 'forem') as Row;
  const first = await probe(forem, url);
  for (const path of ['/forem', '/forem/', '/forem/api/']) {
    assert.deepEqual(await probe({ ...forem, path }, url), first, path);
  }
  const other = await startSandbox(context);
  assert.notEqual((await probe(forem, other.url)).account, first.account);
});

test('a LinkedIn page is a different account from the person who posts for it', async (context) => {
  const { url } = await startSandbox(context);
  const linkedin = ROWS.find(({ destination }) => destination.platform === 'linkedin') as Row;
  const entered = { credentials: { ...linkedin.entered?.credentials, organizationId: DEMO_LINKEDIN_ORGANIZATION } };
  const [person, page] = [await probe(linkedin, url), await probe({ ...linkedin, entered }, url)];
  assert.equal(page.account, `urn:li:organization:${DEMO_LINKEDIN_ORGANIZATION}`);
  assert.notEqual(page.account, person.account);
  assert.notEqual(page.name, person.name);
});

async function probe(row: Row, origin: string): Promise<ProbedAccount> {
  return expectDone(await openClient(row, origin, row.entered ?? {}).probe());
}

/** Each sandbox has its own port, unlike real sites. */
function stripHost(account: string): string {
  return account.replace(/127\.0\.0\.1:\d+/, 'site');
}
