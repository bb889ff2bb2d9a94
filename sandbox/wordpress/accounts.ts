/** Checks application passwords, and lists the capabilities of each role. */
import type { WordPressAccount, WordPressContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { buildFailure } from './responses.ts';

export interface LoggedInAccount extends WordPressAccount {
  username: string;
}

/** Null without credentials. With wrong ones, a response that refuses the request. */
export function authenticate(
  sandbox: WordPressContext,
  header: string | undefined,
): LoggedInAccount | null | SandboxResponse {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const [, username = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  const account = Object.hasOwn(sandbox.site.accounts, username) ? sandbox.site.accounts[username] : undefined;
  if (!account) {
    return buildFailure(401, 'invalid_username', '<strong>Error:</strong> Unknown username. Check again.');
  }
  if (removeSpaces(password) !== removeSpaces(account.applicationPassword)) {
    const message = 'The provided password is an invalid application password.';
    return buildFailure(401, 'incorrect_password', message);
  }
  return { ...account, username };
}

/** `GET /wp/v2/users/me`. */
export function showMe(sandbox: WordPressContext, account: LoggedInAccount | null): SandboxResponse {
  if (!account) return buildFailure(401, 'rest_not_logged_in', 'You are not currently logged in.');
  const { id, username, name, nicename: slug = username } = account;
  const capabilities = Object.fromEntries(CAPABILITIES[account.role].map((capability) => [capability, true]));
  const link = `${sandbox.site.url()}/author/${slug}/`;
  return { status: 200, body: { id, username, name, slug, link, roles: [account.role], capabilities } };
}

export function hasCapability(account: LoggedInAccount | null, capability: string): boolean {
  return account !== null && CAPABILITIES[account.role].includes(capability);
}

const WRITING = ['read', 'edit_posts', 'delete_posts'];
const CAPABILITIES: Record<WordPressAccount['role'], readonly string[]> = {
  contributor: WRITING,
  author: [...WRITING, 'publish_posts', 'upload_files', 'edit_published_posts'],
  editor: [...WRITING, 'publish_posts', 'upload_files', 'edit_published_posts', 'edit_others_posts', 'unfiltered_html'],
};

/** Spaces in an application password are only for readability. */
function removeSpaces(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}
