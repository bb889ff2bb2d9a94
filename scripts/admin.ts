/**
 * `npm run admin -- <command> [account]`: operator commands for an account or the whole site.
 * Account commands are recorded in `operator_actions` with the operator. Uses DATABASE_URL, else
 * the database that `npm start` runs in the same COURANT_HOME. See docs/self-hosting/accounts.md.
 */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { buildArticleUrl } from '../article/identity/slug.ts';
import { ConfigError } from '../runtime/config/environment.ts';
import type { SharedConfig } from '../runtime/config/shared.ts';
import { listClashes } from '../store/articles/canonical-clashes.ts';
import { type Database, openDatabase } from '../store/db/database.ts';
import { loadLinkKey, signLink } from '../store/mail-links/links.ts';
import {
  createResetLink,
  type OperatorAction,
  revokeAccess,
  setOperator,
  setSuspended,
  setTrusted,
} from '../store/users/operator-actions.ts';
import { readAdminConfig } from './admin/config.ts';

interface Deps {
  db: Database;
  config: SharedConfig;
}

const LINK_HOURS = 24;

/** Returns a sentence about the result; null if there is no such account. */
type AccountCommand = [help: string, run: (deps: Deps, action: OperatorAction) => Promise<string | null>];

const ACCOUNT_COMMANDS: Record<string, AccountCommand> = {
  trust: [
    'marks the author as trusted in the descriptions of their articles',
    ({ db }, action) => describeChange(action, setTrusted(db, action, true), 'trusted'),
  ],
  untrust: [
    'removes the mark "trusted"',
    ({ db }, action) => describeChange(action, setTrusted(db, action, false), 'not trusted'),
  ],
  suspend: [
    'stops everything that the author sends, and rejects their sessions and streams from now on',
    ({ db }, action) => describeChange(action, setSuspended(db, action, true), 'suspended'),
  ],
  unsuspend: [
    'ends a suspension',
    ({ db }, action) => describeChange(action, setSuspended(db, action, false), 'not suspended'),
  ],
  'make-operator': [
    'makes the account an operator: its desk leads through the set-up of the site',
    ({ db }, action) => describeChange(action, setOperator(db, action, true), 'an operator'),
  ],
  'remove-operator': [
    'ends the role of an operator',
    ({ db }, action) => describeChange(action, setOperator(db, action, false), 'not an operator'),
  ],
  'reset-password': [`prints a link to set a new password, valid once within ${LINK_HOURS} hours`, resetPassword],
  'revoke-tokens': [
    'revokes their developer tokens and ends their sessions',
    async ({ db }, action) => {
      const revoked = await revokeAccess(db, action);
      if (revoked === null) return null;
      return `${action.account}: ${revoked.developerTokens} developer tokens revoked, ${revoked.sessions} sessions ended.`;
    },
  ],
};
const SITE_COMMANDS: Record<string, [help: string, run: (deps: Deps) => Promise<string>]> = {
  'canonical-clashes': ['lists canonical URLs shared by public articles of different authors', describeClashes],
};

const USAGE = `Usage: npm run admin -- <command> <user name or e-mail address>

${formatCommands(ACCOUNT_COMMANDS)}

       npm run admin -- <command>

${formatCommands(SITE_COMMANDS)}`;

process.exitCode = await main(process.argv.slice(2));

async function main([name = '', account, ...rest]: string[]): Promise<number> {
  const [, runOnAccount] = (Object.hasOwn(ACCOUNT_COMMANDS, name) && ACCOUNT_COMMANDS[name]) || [];
  const [, runOnSite] = (Object.hasOwn(SITE_COMMANDS, name) && SITE_COMMANDS[name]) || [];
  let db: Database | undefined;
  try {
    if (rest.length > 0 || !(account === undefined ? runOnSite : runOnAccount)) {
      console.error(USAGE);
      return 2;
    }
    const config = readAdminConfig();
    db = openDatabase(config.databaseDirectUrl, { maxConnections: 1 });
    const action = { operator: describeOperator(), account: (account ?? '').toLowerCase(), now: new Date() };
    const result = await (runOnSite ?? runOnAccount)?.({ db, config }, action);
    if (result) console.log(result);
    else console.error(`There is no account with the user name or e-mail address ${account}. Nothing changed.`);
    return result ? 0 : 1;
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    return 1;
  } finally {
    await db?.destroy();
  }
}

function formatCommands(commands: Record<string, [help: string, run: unknown]>): string {
  return Object.entries(commands)
    .map(([name, [help]]) => `  ${name.padEnd(20)}${help}`)
    .join('\n');
}

/**
 * Read from the operating system, not the environment, which anybody can set. The host name
 * identifies a container.
 */
function describeOperator(): string {
  return `${userInfo().username}@${hostname()}`.slice(0, 200);
}

async function describeChange(
  { account }: OperatorAction,
  change: Promise<boolean | null>,
  state: string,
): Promise<string | null> {
  const changed = await change;
  if (changed === null) return null;
  return changed ? `${account} is ${state} now.` : `${account} was already ${state}.`;
}

/**
 * Creates a link instead of a password, so that the operator never sees the password. The link
 * works once: if it works for its receiver, nobody else has used it.
 */
async function resetPassword({ db, config }: Deps, action: OperatorAction): Promise<string | null> {
  const key = await loadLinkKey({ home: config.home, key: config.credentialsKey });
  const id = randomUUID();
  const expiresAt = new Date(action.now.getTime() + LINK_HOURS * 3_600_000);
  const receiver = await createResetLink(db, action, { id, expiresAt });
  if (receiver === null) return null;
  const token = signLink(key, { id, purpose: 'reset_password', subjectId: receiver.userId, email: receiver.email });
  return `Send this link to ${action.account} over a channel that only they can read. It works once, until ${expiresAt.toISOString()}:
${config.baseUrl}/account/reset-password?token=${token}`;
}

async function describeClashes({ db, config: { baseUrl } }: Deps): Promise<string> {
  const clashes = await listClashes(db);
  if (clashes.length === 0) return 'There are no canonical clashes: no two authors share a canonical URL.';
  const blocks = clashes.map(({ canonicalKey, articles }) => {
    const [, slug] = /^self:(.*)$/s.exec(canonicalKey) ?? [];
    const lines = articles.map((article) => `  ${buildArticleUrl(baseUrl, article.slug)} by ${article.authorUsername}`);
    return [slug === undefined ? canonicalKey : buildArticleUrl(baseUrl, slug), ...lines].join('\n');
  });
  return blocks.join('\n');
}
