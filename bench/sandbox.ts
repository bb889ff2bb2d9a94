/** Starts the sandbox of destinations for a benchmark, and connects an author to it. */
import { findFreePort } from '../scripts/start/ports.ts';
import { connectDestination } from '../store/connections/connect.ts';
import type { Database } from '../store/db/database.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { waitUntil } from './measure.ts';
import type { BenchServices } from './publish/services.ts';

export interface SandboxOptions {
  rateLimits: 'on' | 'off';
}

/** Returns the address of the sandbox. */
export async function startSandbox(
  { start, home, apiUrl }: BenchServices,
  { rateLimits }: SandboxOptions,
): Promise<string> {
  const port = await findFreePort();
  // The only local address that the sandbox accepts in canonical URLs.
  const BASE_URL = apiUrl.replace('127.0.0.1', 'localhost');
  const env = {
    ...process.env,
    BASE_URL,
    SANDBOX_PORT: String(port),
    SANDBOX_RATE_LIMITS: rateLimits,
    COURANT_HOME: home,
  };
  await start('sandbox', { file: process.execPath, args: ['sandbox/main.ts'], env, cwd: process.cwd() });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the sandbox', () =>
    fetch(`${url}/log`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return url;
}

/** Connects Forem and Hashnode, which are selected by default. */
export async function connectSandbox(
  { home }: BenchServices,
  db: Database,
  { userId, sandboxUrl }: { userId: string; sandboxUrl: string },
): Promise<void> {
  const sealer = await loadSealer({ home, key: undefined });
  const common = { userId, account: { identity: userId, name: null } };
  await connectDestination(db, sealer, {
    ...common,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: `${sandboxUrl}/forem/api`,
    credentials: { apiKey: 'sandbox-forem-key' },
  });
  await connectDestination(db, sealer, {
    ...common,
    destination: 'blogsite_b',
    platform: 'hashnode',
    baseUrl: `${sandboxUrl}/hashnode`,
    credentials: { token: 'sandbox-hashnode-token', publicationId: '665f1f77bcf86cd799439011' },
  });
}
