/** Checks application passwords, and lists the capabilities of each role. */
import { findOwner, type WordPressAccount } from '../accounts.ts';
import type { SandboxResponse } from '../exchange.ts';
import type { WordPressContext, WordPressPost } from './context.ts';
import { buildFailure } from './responses.ts';

export interface LoggedInAccount extends WordPressAccount {
  username: string;
  /** As the log names it. */
  logName: string;
}

/** The account, or the response that refuses the request. */
export function authenticate({ accounts, site }: WordPressContext, header = ''): LoggedInAccount | SandboxResponse {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  if (encoded === undefined) return buildFailure(401, 'rest_not_logged_in', 'You are not currently logged in.');
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const account = findOwner(accounts, username);
  if (!account) {
    return buildFailure(401, 'invalid_username', '<strong>Error:</strong> Unknown username. Check again.');
  }
  if (removeSpaces(password.join(':')) !== removeSpaces(account.applicationPassword)) {
    return buildFailure(401, 'incorrect_password', 'The provided password is an invalid application password.');
  }
  return { ...account, username, logName: `${site}/${username}` };
}

/** `GET /wp/v2/users/me`. */
export function showMe({ id, username, name, nicename: slug = username, role }: LoggedInAccount): SandboxResponse {
  const capabilities = Object.fromEntries(CAPABILITIES[role].map((capability) => [capability, true]));
  return { status: 200, body: { id, username, name, slug, roles: [role], capabilities } };
}

export function hasCapability({ role }: LoggedInAccount, capability: string): boolean {
  return CAPABILITIES[role].includes(capability);
}

export function canEdit(account: LoggedInAccount, post: WordPressPost): boolean {
  return post.account === account.logName || hasCapability(account, 'edit_others_posts');
}

const AUTHOR = ['edit_posts', 'publish_posts', 'upload_files', 'edit_published_posts'];
const CAPABILITIES: Record<WordPressAccount['role'], readonly string[]> = {
  contributor: ['edit_posts'],
  author: AUTHOR,
  editor: [...AUTHOR, 'edit_others_posts'],
};

/** Spaces in an application password are only for readability. */
function removeSpaces(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}
