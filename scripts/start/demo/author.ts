/**
 * Provides the demo author with connections to the sandbox destinations. Creates only what is
 * missing or broken, so that a second start changes nothing.
 */

import { describeConnectedAccount, findDestination } from '../../../destinations/clients.ts';
import type { Connection } from '../../../destinations/types.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/tokens/developer-tokens.ts';
import { StartError } from '../start-error.ts';
import { AUTHOR, type DemoPerson, provideDemoAccount, SECOND, THIRD } from './accounts.ts';
import type { DemoCredentials, DemoLogin } from './demo-file.ts';
import { SANDBOX_ACCOUNTS } from './sandbox-accounts.ts';

/**
 * Provides all demo accounts. `known` contains the credentials of the last run; invalid or missing
 * ones are replaced.
 */
export async function provideDemoAuthor(
  db: Database,
  sealer: Sealer,
  options: { known: DemoCredentials | null; sandboxUrl: string; now: Date },
): Promise<DemoCredentials> {
  const { known, now } = options;
  const [{ userId, password }, second, third] = await Promise.all([
    provideDemoAccount(db, AUTHOR, { known: known?.password, now }),
    provideDemoAccount(db, SECOND, { known: known?.second.password, now }),
    provideDemoAccount(db, THIRD, { known: known?.third.password, now }),
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

const PROBE_TIMEOUT_MS = 5_000;

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
