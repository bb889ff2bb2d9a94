/**
 * The accounts that can be connected: those of the demo author, and others per platform that can
 * replace them. For the front page and demo.json.
 */
import * as at from './accounts.ts';
import type { SandboxPlatform } from './state.ts';

export interface SandboxAccount {
  destination: SandboxPlatform;
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
  { ...forem, account: 'demo', credentials: { apiKey: at.DEMO_FOREM_KEY } },
  { ...forem, account: 'second', credentials: { apiKey: at.SECOND_FOREM_KEY } },
  ...[
    { token: at.DEMO_HASHNODE_TOKEN, publicationId: at.DEMO_HASHNODE_PUBLICATION },
    { token: at.SECOND_HASHNODE_TOKEN, publicationId: at.SECOND_HASHNODE_PUBLICATION },
    { token: at.DEMO_HASHNODE_TOKEN, publicationId: at.OTHER_HASHNODE_PUBLICATION },
  ].map((credentials) => ({ ...hashnode, account: credentials.publicationId, credentials })),
  { ...medium, account: at.DEMO_MEDIUM_USER, credentials: { token: at.DEMO_MEDIUM_TOKEN } },
  { ...medium, account: at.SECOND_MEDIUM_USER, credentials: { token: at.SECOND_MEDIUM_TOKEN } },
  { ...wordpress, path: '/wordpress/wp-json', account: 'wordpress/demo', credentials: at.DEMO_WORDPRESS },
  { ...wordpress, path: '/wordpress-b/wp-json', account: 'wordpress-b/demo', credentials: at.SECOND_WORDPRESS },
  { ...wordpress, path: '/wordpress-b/wp-json', account: 'wordpress-b/guest', credentials: at.THIRD_WORDPRESS },
  { ...ghost, path: '/ghost-site', account: 'ghost-site', credentials: { adminKey: at.DEMO_GHOST_KEY } },
  { ...ghost, path: '/ghost-site-b', account: 'ghost-site-b', credentials: { adminKey: at.SECOND_GHOST_KEY } },
  ...[
    [at.DEMO_LINKEDIN_PERSON, at.DEMO_LINKEDIN_TOKEN] as const,
    [at.SECOND_LINKEDIN_PERSON, at.SECOND_LINKEDIN_TOKEN] as const,
  ].map(([id, accessToken]) => ({ ...linkedin, account: `urn:li:person:${id}`, credentials: { accessToken } })),
];

export type ConnectableAccount = ReturnType<typeof listConnectableAccounts>[number];

/** Lists the accounts in the form of the mutation `connectDestination`. */
export function listConnectableAccounts(sandboxUrl: string) {
  return SANDBOX_ACCOUNTS.map(({ destination, platform, path, credentials, account }) => ({
    destination,
    platform,
    baseUrl: `${sandboxUrl}${path}`,
    credentials: Object.entries(credentials).map(([name, value]) => ({ name, value })),
    account,
  }));
}
