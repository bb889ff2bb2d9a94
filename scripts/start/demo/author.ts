/**
 * The demo author, with connections to the sandbox destinations. Only what is missing or broken is created, so that a second start changes
 * nothing.
 */
import { describeConnected } from '../../../destinations/connected-account.ts';
import { findDestination } from '../../../destinations/registry.ts';
import type { Connection } from '../../../destinations/types.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/users/developer-tokens.ts';
import { AUTHOR, type DemoPerson, provideDemoAccount, SECOND, THIRD } from './accounts.ts';
import type { DemoCredentials, DemoLogin, KnownCredentials } from './demo-file.ts';
import { SANDBOX_ACCOUNTS } from './sandbox-accounts.ts';

/**
 * Provides the author and the others. `known` are the credentials of the last run; a password or token that no longer works (or was lost) is replaced.
 */
export async function provideDemoAuthor(
  db: Database,
  sealer: Sealer,
  options: { known: KnownCredentials | null; sandboxUrl: string; now: Date },
): Promise<DemoCredentials> {
  const { known, now } = options;
  const [{ userId, password }, second, third] = await Promise.all([
    provideDemoAccount(db, AUTHOR, { known: known?.password, now }),
    provideDemoAccount(db, SECOND, { known: known?.second?.password, now }),
    provideDemoAccount(db, THIRD, { known: known?.third?.password, now }),
  ]);
  const owner = known === null ? null : await findTokenOwner(db, known.token, now);
  const token =
    known !== null && owner?.userId === userId
      ? known.token
      : (await createDeveloperToken(db, { userId, name: 'Demo (made by npm start)', now })).token;
  await connectSandbox(db, sealer, { userId, sandboxUrl: options.sandboxUrl });
  return {
    ...describeLogin(AUTHOR, password),
    token,
    second: describeLogin(SECOND, second.password),
    third: describeLogin(THIRD, third.password),
  };
}

function describeLogin({ username, email }: DemoPerson, password: string): DemoLogin {
  return { username, email, password };
}

async function connectSandbox(
  db: Database,
  sealer: Sealer,
  { userId, sandboxUrl }: { userId: string; sandboxUrl: string },
): Promise<void> {
  const present = await db
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select(['connections.destination', 'connections.baseUrl', 'connections.status', 'accounts.identity'])
    .where('connections.userId', '=', userId)
    .execute();
  const firsts = new Map(SANDBOX_ACCOUNTS.toReversed().map((account) => [account.destination, account]));
  for (const { destination, platform, path, credentials } of firsts.values()) {
    const baseUrl = `${sandboxUrl}${path}`;
    const found = present.find((connection) => connection.destination === destination);
    // A real account that was connected instead stays; the address of a sandbox that moved to another port is updated.
    const theirs = found !== undefined && !isSandboxAddress(found.baseUrl, path);
    const isVerified = found !== undefined && !found.identity.startsWith('unverified:');
    const inOrder = found?.baseUrl === baseUrl && found.status === 'active' && isVerified;
    if (theirs || inOrder) continue;
    const account = await probeAccount(platform, { baseUrl, credentials });
    await connectDestination(db, sealer, { userId, destination, ...account });
  }
}

const PROBE_TIMEOUT_MS = 5_000;

/** Asks the sandbox who it is, as connecting through GraphQL does. Without an answer the account is known by its address until it is asked. */
async function probeAccount(platform: string, connection: Connection) {
  const adapter = findDestination(platform);
  const options = {
    connection,
    timeoutMs: PROBE_TIMEOUT_MS,
    now: () => new Date(),
    allowPrivate: [new URL(connection.baseUrl).host],
  };
  const probed = await adapter?.createClient(options).probe();
  return adapter && probed?.kind === 'done'
    ? describeConnected(adapter, connection, probed.value)
    : { platform, ...connection };
}

function isSandboxAddress(address: string, path: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && ['localhost', '127.0.0.1'].includes(url.hostname) && url.pathname === path;
}
