/**
 * Provides the demo accounts: the author, who is an operator and has connections to the sandbox
 * destinations, a second person for comments and follows, and a third one with a broken
 * destination. Creates only what is missing or broken, so that a second start changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { describeConnectedAccount, findDestination } from '../../../destinations/clients.ts';
import type { Connection } from '../../../destinations/types.ts';
import { FREE_HASHNODE_PUBLICATION, FREE_HASHNODE_TOKEN } from '../../../sandbox/accounts.ts';
import { SANDBOX_ACCOUNTS } from '../../../sandbox/connectable-accounts.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/tokens/developer-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { findUserByEmail } from '../../../store/users/find-user.ts';
import { hashPassword, setPassword, verifyPassword } from '../../../store/users/passwords.ts';
import { StartError } from '../start-error.ts';
import type { DemoCredentials, DemoLogin } from './demo-file.ts';

const PROBE_TIMEOUT_MS = 5_000;

/** `known` contains the credentials of the last run; invalid or missing ones are replaced. */
export async function provideDemoAuthor(
  db: Database,
  sealer: Sealer,
  { known, sandboxUrl, now }: { known: Partial<DemoCredentials>; sandboxUrl: string; now: Date },
): Promise<DemoCredentials> {
  const [{ userId, ...login }, { userId: _, ...second }, { userId: __, ...third }] = await Promise.all([
    provideAccount(db, { username: 'demo', name: 'Demo Author', known: known.password, now }),
    provideAccount(db, { username: 'second', name: 'Second Person', known: known.second?.password, now }),
    provideAccount(db, { username: 'third', name: 'Third Person', known: known.third?.password, now }),
  ]);
  await db.updateTable('users').set({ isOperator: true }).where('id', '=', userId).execute();
  const owner = await findTokenOwner(db, known.token ?? '', now);
  const created = { userId, name: 'Demo (made by npm start)', now };
  const token = owner?.userId === userId && known.token ? known.token : (await createDeveloperToken(db, created)).token;
  await connectSandbox(db, sealer, { userId, sandboxUrl });
  return { ...login, token, second, third };
}

async function provideAccount(
  db: Database,
  { username, name, known, now }: { username: string; name: string; known: string | undefined; now: Date },
): Promise<DemoLogin & { userId: string }> {
  const login = {
    username,
    email: `${username}@courant.localhost`,
    password: known ?? randomBytes(12).toString('base64url'),
  };
  const user = await findUserByEmail(db, login.email);
  if (user === undefined) {
    const passwordHash = await hashPassword(login.password);
    const { id } = await createUser(db, { username, email: login.email, name, passwordHash, now });
    return { ...login, userId: id };
  }
  if (!(await verifyPassword(user.passwordHash, login.password)))
    await setPassword(db, user.id, await hashPassword(login.password));
  return { ...login, userId: user.id };
}

async function connectSandbox(
  db: Database,
  sealer: Sealer,
  { userId, sandboxUrl }: { userId: string; sandboxUrl: string },
): Promise<void> {
  const present = await db
    .selectFrom('connections')
    .select(['destination', 'baseUrl', 'status'])
    .where('userId', '=', userId)
    .execute();
  const defaults = new Map(SANDBOX_ACCOUNTS.toReversed().map((account) => [account.destination, account]));
  for (const { destination, platform, path, credentials } of defaults.values()) {
    const baseUrl = `${sandboxUrl}${path}`;
    const found = present.find((connection) => connection.destination === destination);
    // A real account that was connected instead stays. The address of a sandbox on another port is
    // updated.
    const isRealAccount = found !== undefined && !isSandboxAddress(found.baseUrl, path);
    const isUpToDate = found?.baseUrl === baseUrl && found.status === 'active';
    if (isRealAccount || isUpToDate) continue;
    const account = await probeAccount(platform, { baseUrl, credentials });
    await connectDestination(db, sealer, { userId, destination, ...account });
  }
}

/** Probes the account like a connection through GraphQL. */
async function probeAccount(platform: string, connection: Connection) {
  const adapter = findDestination(platform);
  const options = {
    connection,
    timeoutMs: PROBE_TIMEOUT_MS,
    now: () => new Date(),
    allowPrivate: [new URL(connection.baseUrl).host],
  };
  const probed = await adapter?.createClient(options).probe();
  if (!adapter || probed?.kind !== 'done')
    throw new StartError(`The sandbox does not identify its ${platform} account.`);
  return describeConnectedAccount(adapter, connection, probed.value);
}

function isSandboxAddress(address: string, path: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && ['localhost', '127.0.0.1'].includes(url.hostname) && url.pathname === path;
}

/**
 * The third person's Hashnode account has no paid plan, so that the desk has a problem to solve. The
 * public interface would reject it, so it is stored as if the plan had ended.
 */
export async function connectBrokenDestination(
  db: Database,
  sealer: Sealer,
  { userId, sandboxUrl }: { userId: string; sandboxUrl: string },
): Promise<void> {
  const present = await db.selectFrom('connections').select('id').where('userId', '=', userId).executeTakeFirst();
  if (present) return;
  await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_b',
    platform: 'hashnode',
    baseUrl: `${sandboxUrl}/hashnode`,
    credentials: { token: FREE_HASHNODE_TOKEN, publicationId: FREE_HASHNODE_PUBLICATION },
    account: { identity: FREE_HASHNODE_PUBLICATION, name: null },
  });
}
