/**
 * The accounts of the sandbox: two for each platform. The second one belongs to another person, or
 * is another site of the same person.
 */

export interface ForemAccount {
  username: string;
  name: string;
  /** The name under which its articles are stored and logged, if the account was renamed. */
  formerName?: string;
}

export interface HashnodeAccount {
  username: string;
  name: string;
  /** From before a rename. The account's id stays the same. */
  formerName?: string;
  /** The publication owned by this token's user. */
  publicationId: string;
  /** Further publications of the same user. */
  otherPublicationIds?: readonly string[];
  isPro: boolean;
}

export interface MediumAccount {
  id: string;
  username: string;
  name: string;
}

export interface LinkedinAccount {
  /** The `sub` of OpenID Connect. */
  id: string;
  name: string;
  /** Organisations for which the token may post. */
  organizationIds: readonly string[];
}

export interface WordPressAccount {
  id: number;
  name: string;
  /** The last part of the author page's address, if it is not the user name. */
  nicename?: string;
  /** Spaces in it are ignored. */
  applicationPassword: string;
  role: 'contributor' | 'author' | 'editor';
}

export interface GhostSite {
  /** The site's own address: the same wherever the sandbox listens. */
  publicUrl: string;
  /** Secrets of Admin API keys in hexadecimal, by key id. */
  keys: Record<string, string>;
}

/** By key or token. A key such as `__proto__` belongs to nobody. */
export function findOwner<A>(accounts: Record<string, A>, token: unknown): A | undefined {
  return typeof token === 'string' && Object.hasOwn(accounts, token) ? accounts[token] : undefined;
}

export const DEMO_FOREM_KEY = 'sandbox-forem-key';
export const SECOND_FOREM_KEY = 'sandbox-forem-second-key';
export const DEMO_HASHNODE_TOKEN = 'sandbox-hashnode-token';
export const DEMO_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439011';
/** A publication of the same user. */
export const OTHER_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439014';
export const FREE_HASHNODE_TOKEN = 'sandbox-hashnode-free-token';
export const FREE_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439012';
export const SECOND_HASHNODE_TOKEN = 'sandbox-hashnode-second-token';
export const SECOND_HASHNODE_PUBLICATION = '665f1f77bcf86cd799439013';
export const DEMO_MEDIUM_TOKEN = 'sandbox-medium-token';
export const DEMO_MEDIUM_USER = '5303d74c64f66366f00cb9b2a94f3251bf5';
export const SECOND_MEDIUM_TOKEN = 'sandbox-medium-second-token';
export const SECOND_MEDIUM_USER = '5303d74c64f66366f00cb9b2a94f3251bf6';
export const DEMO_LINKEDIN_TOKEN = 'sandbox-linkedin-token';
export const DEMO_LINKEDIN_PERSON = 'demo-Person_1';
export const DEMO_LINKEDIN_ORGANIZATION = '2414183';
export const SECOND_LINKEDIN_TOKEN = 'sandbox-linkedin-second-token';
export const SECOND_LINKEDIN_PERSON = 'second-Person_2';
/** The site is at `/wordpress`. */
export const DEMO_WORDPRESS = { username: 'demo', applicationPassword: 'sandbox app pass word' };
/** May write posts, but not publish them. */
export const CONTRIBUTOR_WORDPRESS = { username: 'contributor', applicationPassword: 'sandbox contributor word' };
/** At `/wordpress-b`, with the same user name and number as at the first site. */
export const SECOND_WORDPRESS = { username: 'demo', applicationPassword: 'sandbox second site word' };
/** Also at `/wordpress-b`. */
export const THIRD_WORDPRESS = { username: 'guest', applicationPassword: 'sandbox guest pass word' };
/** The site is at `/ghost-site`. */
export const DEMO_GHOST_KEY =
  '665f1f77bcf86cd799439021:73616e64626f782d67686f73742d7365637265742d666f722d7468652d64656d';
/** The site is at `/ghost-site-b`. */
export const SECOND_GHOST_KEY =
  '665f1f77bcf86cd799439022:73616e64626f782d67686f73742d7365637265742d666f722d7468652d736563';

export const FOREM_ACCOUNTS: Record<string, ForemAccount> = {
  [DEMO_FOREM_KEY]: { username: 'demo', name: 'Demo Author' },
  [SECOND_FOREM_KEY]: { username: 'second', name: 'Second Author' },
};

export const HASHNODE_ACCOUNTS: Record<string, HashnodeAccount> = {
  [DEMO_HASHNODE_TOKEN]: {
    username: 'demo',
    name: 'Demo Author',
    publicationId: DEMO_HASHNODE_PUBLICATION,
    otherPublicationIds: [OTHER_HASHNODE_PUBLICATION],
    isPro: true,
  },
  [FREE_HASHNODE_TOKEN]: {
    username: 'free',
    name: 'Free Author',
    publicationId: FREE_HASHNODE_PUBLICATION,
    isPro: false,
  },
  [SECOND_HASHNODE_TOKEN]: {
    username: 'second',
    name: 'Second Author',
    publicationId: SECOND_HASHNODE_PUBLICATION,
    isPro: true,
  },
};

export const MEDIUM_ACCOUNTS: Record<string, MediumAccount> = {
  [DEMO_MEDIUM_TOKEN]: { id: DEMO_MEDIUM_USER, username: 'demo', name: 'Demo Author' },
  [SECOND_MEDIUM_TOKEN]: { id: SECOND_MEDIUM_USER, username: 'second', name: 'Second Author' },
};

export const LINKEDIN_ACCOUNTS: Record<string, LinkedinAccount> = {
  [DEMO_LINKEDIN_TOKEN]: {
    id: DEMO_LINKEDIN_PERSON,
    name: 'Demo Author',
    organizationIds: [DEMO_LINKEDIN_ORGANIZATION],
  },
  [SECOND_LINKEDIN_TOKEN]: { id: SECOND_LINKEDIN_PERSON, name: 'Second Author', organizationIds: [] },
};

/** By site, then by user name. */
export const WORDPRESS_SITES: Record<string, Record<string, WordPressAccount>> = {
  wordpress: {
    [DEMO_WORDPRESS.username]: { ...DEMO_WORDPRESS, id: 1, name: 'Demo Author', role: 'author' },
    [CONTRIBUTOR_WORDPRESS.username]: { ...CONTRIBUTOR_WORDPRESS, id: 2, name: 'Contributor', role: 'contributor' },
  },
  'wordpress-b': {
    [SECOND_WORDPRESS.username]: { ...SECOND_WORDPRESS, id: 1, name: 'Demo Author', role: 'author' },
    [THIRD_WORDPRESS.username]: { ...THIRD_WORDPRESS, id: 2, name: 'Guest Author', role: 'author' },
  },
};

export const GHOST_SITES: Record<string, GhostSite> = {
  'ghost-site': {
    publicUrl: 'https://ghost.sandbox.example/',
    keys: Object.fromEntries([DEMO_GHOST_KEY.split(':')]),
  },
  'ghost-site-b': {
    publicUrl: 'https://ghost-b.sandbox.example/',
    keys: Object.fromEntries([SECOND_GHOST_KEY.split(':')]),
  },
};
