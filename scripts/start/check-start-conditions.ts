/**
 * Checks before a start that the ports are free and that configured servers are reachable. Reports
 * all problems at once.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { findPortHolder, probePort } from './ports.ts';
import type { StartSettings } from './settings.ts';
import { StartError } from './start-error.ts';

const TIMEOUT_MS = 5_000;

/** Throws a `StartError` with every port in use and every unreachable server. */
export async function checkStartConditions(settings: StartSettings): Promise<void> {
  const { databaseUrl, temporalAddress } = settings;
  const problems = await Promise.all([
    ...[...settings.ports].map(([variable, port]) => checkPort(variable, port)),
    databaseUrl && checkServer('DATABASE_URL', new URL(databaseUrl), () => connectToDatabase(databaseUrl)),
    temporalAddress && checkServer('TEMPORAL_ADDRESS', new URL(`tcp://${temporalAddress}`), connectTo),
  ]);
  const found = problems.filter((problem) => problem);
  if (found.length > 0) throw new StartError(found.join('\n'));
}

async function checkPort(variable: string, port: number): Promise<string | null> {
  const state = await probePort(port);
  if (state === 'free') return null;
  if (state === 'not permitted')
    return `Port ${port} (${variable}) cannot be opened by this user; set ${variable} to another port.`;
  const holder = findPortHolder(port);
  const by = holder === null ? '' : ` by ${holder}`;
  return `Port ${port} (${variable}) is in use${by}. Stop that process or set ${variable} to another port.`;
}

/** Names host and port, but not the rest of the address, which may contain a password. */
async function checkServer(variable: string, url: URL, attempt: (url: URL) => Promise<void>): Promise<string | null> {
  try {
    await attempt(url);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `The server of ${variable} (${url.host || 'localhost'}) cannot be reached: ${message || code}`;
  }
}

async function connectToDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  // Without a listener, a later connection error would end the process.
  client.on('error', () => undefined);
  await client.connect().finally(() => client.end());
}

async function connectTo({ hostname, port }: URL): Promise<void> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) }).finally(() => socket.destroy());
}
