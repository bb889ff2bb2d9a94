/**
 * The demo author, with connections to the sandbox destinations. Only what is missing or broken is created, so that a second start changes
 * nothing.
 */
import { randomBytes } from 'node:crypto';
import { describeConnected } from '../../../destinations/connected-account.ts';
import { findDestination } from '../../../destinations/registry.ts';
import type { Connection } from '../../../destinations/types.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/users/developer-tokens.ts';
import { findUserByEmail } from '../../../store/users/find-user.ts';
import { hashPassword, setPassword, verifyPassword } from '../../../store/users/passwords.ts';
import type { DemoCredentials } from './demo-file.ts';
import { SANDBOX_ACCOUNTS } from './sandbox-accounts.ts';

const USERNAME = 'demo';
const EMAIL = 'demo@courant.localhost';

/**
 * Provides the author. `known` are the credentials of the last run; a password or token that no longer works (or was lost) is replaced.
 */
export async function provideDemoAuthor(
  db: Database,
  sealer: Sealer,
  options: { known: DemoCredentials | null; sandboxUrl: string; now: Date },
): Promise<DemoCredentials> {
  const { known, now } = options;
  const { userId, password } = await provideAccount(db, known?.password, now);
  const owner = known === null ? null : await findTokenOwner(db, known.token, now);
  const token =
    known !== null && owner?.userId === userId
      ? known.token
      : (await createDeveloperToken(db, { userId, name: 'Demo (made by npm start)', now })).token;
  await connectSandbox(db, sealer, { userId, sandboxUrl: options.sandboxUrl, now });
  return { username: USERNAME, email: EMAIL, password, token };
}

async function provideAccount(
  db: Database,
  known: string | undefined,
  now: Date,
): Promise<{ userId: string; password: string }> {
  const user = await findUserByEmail(db, EMAIL);
  const password = known ?? randomBytes(12).toString('base64url');
  if (user === undefined) {
    const passwordHash = await hashPassword(password);
    const { id } = await createUser(db, { username: USERNAME, name: 'Demo Author', email: EMAIL, passwordHash, now });
    return { userId: id, password };
  }
  if (!(await verifyPassword(user.passwordHash, password))) {
    await setPassword(db, user.id, await hashPassword(password));
  }
  return { userId: user.id, password };
}

async function connectSandbox(
  db: Database,
  sealer: Sealer,
  { userId, sandboxUrl, now }: { userId: string; sandboxUrl: string; now: Date },
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
    await connectDestination(db, sealer, { userId, destination, now, ...account });
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
