/**
 * The accounts at the sandbox for demo.json: the connected ones of the demo author, and others per
 * platform that can replace them.
 */
import type { DestinationKey } from '../../../article/types.ts';
import {
  DEMO_FOREM_KEY,
  DEMO_GHOST_KEY,
  DEMO_HASHNODE_PUBLICATION,
  DEMO_HASHNODE_TOKEN,
  DEMO_LINKEDIN_PERSON,
  DEMO_LINKEDIN_TOKEN,
  DEMO_MEDIUM_TOKEN,
  DEMO_MEDIUM_USER,
  DEMO_WORDPRESS,
  OTHER_HASHNODE_PUBLICATION,
  SECOND_FOREM_KEY,
  SECOND_GHOST_KEY,
  SECOND_HASHNODE_PUBLICATION,
  SECOND_HASHNODE_TOKEN,
  SECOND_LINKEDIN_PERSON,
  SECOND_LINKEDIN_TOKEN,
  SECOND_MEDIUM_TOKEN,
  SECOND_MEDIUM_USER,
  SECOND_WORDPRESS,
  THIRD_WORDPRESS,
} from '../../../sandbox/accounts.ts';

export interface SandboxAccount {
  destination: DestinationKey;
  platform: string;
  /** The path below the sandbox address. */
  path: string;
  credentials: Record<string, string>;
  /** The name of the account in the sandbox's log and list of posts. */
  account: string;
}

const forem = { destination: 'blogsite_a', platform: 'forem', path: '/forem/api' } as const;
const hashnode = { destination: 'blogsite_b', platform: 'hashnode', path: '/hashnode' } as const;
const medium = { destination: 'blogsite_c', platform: 'medium', path: '/medium/v1' } as const;
const wordpress = { destination: 'cms_site', platform: 'wordpress' } as const;
const ghost = { destination: 'cms_site', platform: 'ghost' } as const;
const linkedin = { destination: 'social_feed', platform: 'linkedin', path: '/linkedin' } as const;

/** The first account of each destination is connected to the demo author. */
export const SANDBOX_ACCOUNTS: readonly SandboxAccount[] = [
  { ...forem, account: 'demo', credentials: { apiKey: DEMO_FOREM_KEY } },
  { ...forem, account: 'second', credentials: { apiKey: SECOND_FOREM_KEY } },
  ...[
    { token: DEMO_HASHNODE_TOKEN, publicationId: DEMO_HASHNODE_PUBLICATION },
    { token: SECOND_HASHNODE_TOKEN, publicationId: SECOND_HASHNODE_PUBLICATION },
    { token: DEMO_HASHNODE_TOKEN, publicationId: OTHER_HASHNODE_PUBLICATION },
  ].map((credentials) => ({ ...hashnode, account: credentials.publicationId, credentials })),
  { ...medium, account: DEMO_MEDIUM_USER, credentials: { token: DEMO_MEDIUM_TOKEN } },
  { ...medium, account: SECOND_MEDIUM_USER, credentials: { token: SECOND_MEDIUM_TOKEN } },
  { ...wordpress, path: '/wordpress/wp-json', account: 'wordpress/demo', credentials: DEMO_WORDPRESS },
  { ...wordpress, path: '/wordpress-b/wp-json', account: 'wordpress-b/demo', credentials: SECOND_WORDPRESS },
  { ...wordpress, path: '/wordpress-b/wp-json', account: 'wordpress-b/guest', credentials: THIRD_WORDPRESS },
  { ...ghost, path: '/ghost-site', account: 'ghost-site', credentials: { adminKey: DEMO_GHOST_KEY } },
  { ...ghost, path: '/ghost-site-b', account: 'ghost-site-b', credentials: { adminKey: SECOND_GHOST_KEY } },
  {
    ...linkedin,
    account: `urn:li:person:${DEMO_LINKEDIN_PERSON}`,
    credentials: { accessToken: DEMO_LINKEDIN_TOKEN },
  },
  {
    ...linkedin,
    account: `urn:li:person:${SECOND_LINKEDIN_PERSON}`,
    credentials: { accessToken: SECOND_LINKEDIN_TOKEN },
  },
];

/** In the form of the mutation `connectDestination`. */
export interface ConnectableAccount {
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  credentials: { name: string; value: string }[];
  account: string;
}

export function listConnectableAccounts(sandboxUrl: string): ConnectableAccount[] {
  return SANDBOX_ACCOUNTS.map(({ destination, platform, path, credentials, account }) => ({
    destination,
    platform,
    baseUrl: `${sandboxUrl}${path}`,
    credentials: Object.entries(credentials).map(([name, value]) => ({ name, value })),
    account,
  }));
}
