/**
 * Operator commands for accounts. Each returns a sentence about its result; null if there is no
 * such account.
 */
import { randomUUID } from 'node:crypto';
import type { SharedConfig } from '../../runtime/config/shared.ts';
import type { Database } from '../../store/db/database.ts';
import { loadLinkKey, signLink } from '../../store/mail-links/links.ts';
import {
  createResetLink,
  type OperatorAction,
  revokeAccess,
  setSuspended,
  setTrusted,
} from '../../store/users/operator-actions.ts';

export interface AdminDeps {
  db: Database;
  config: Pick<SharedConfig, 'home' | 'baseUrl' | 'credentialsKey'>;
}

export interface AdminCommand {
  help: string;
  run: (deps: AdminDeps, action: OperatorAction) => Promise<string | null>;
}

const LINK_HOURS = 24;

export const ADMIN_COMMANDS: Record<string, AdminCommand> = {
  trust: {
    help: 'marks the author as trusted in the descriptions of their articles',
    run: ({ db }, action) => describeChange(action, setTrusted(db, action, true), 'trusted'),
  },
  untrust: {
    help: 'removes the mark "trusted"',
    run: ({ db }, action) => describeChange(action, setTrusted(db, action, false), 'not trusted'),
  },
  suspend: {
    help: 'stops everything that the author sends, and rejects their sessions and streams from now on',
    run: ({ db }, action) => describeChange(action, setSuspended(db, action, true), 'suspended'),
  },
  unsuspend: {
    help: 'ends a suspension',
    run: ({ db }, action) => describeChange(action, setSuspended(db, action, false), 'not suspended'),
  },
  'reset-password': {
    help: `prints a link to set a new password, valid once within ${LINK_HOURS} hours`,
    run: resetPassword,
  },
  'revoke-tokens': {
    help: 'revokes their developer tokens and ends their sessions',
    async run({ db }, action) {
      const revoked = await revokeAccess(db, action);
      if (revoked === null) return null;
      const { developerTokens, sessions } = revoked;
      return `${action.username}: ${developerTokens} developer tokens revoked, ${sessions} sessions ended.`;
    },
  },
};

async function describeChange(
  { username }: OperatorAction,
  change: Promise<boolean | null>,
  state: string,
): Promise<string | null> {
  const changed = await change;
  if (changed === null) return null;
  return changed ? `${username} is ${state} now.` : `${username} was already ${state}.`;
}

/**
 * Creates a link instead of a password, so that the operator never sees the password. The link
 * works once: if it works for its receiver, nobody else has used it.
 */
async function resetPassword({ db, config }: AdminDeps, action: OperatorAction): Promise<string | null> {
  const key = await loadLinkKey({ home: config.home, key: config.credentialsKey });
  const id = randomUUID();
  const expiresAt = new Date(action.now.getTime() + LINK_HOURS * 3_600_000);
  const account = await createResetLink(db, action, { id, expiresAt });
  if (account === null) return null;
  const token = signLink(key, { id, purpose: 'reset_password', subjectId: account.userId, email: account.email });
  return `Send this link to ${action.username} over a channel that only they can read. It works once, until ${expiresAt.toISOString()}:
${config.baseUrl}/account/reset-password?token=${token}`;
}
