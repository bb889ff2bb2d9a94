/**
 * Checks before a start that the ports are free and that configured servers are reachable. Reports
 * all problems at once.
 */
import { connect } from 'node:net';
import pg from 'pg';
import { describePortHolder, probePort } from './ports.ts';
import { listPorts, type StartSettings } from './settings.ts';
import { StartError } from './start-error.ts';

/** Throws a `StartError` with every port in use and every unreachable server. */
export async function checkStartConditions(settings: StartSettings): Promise<void> {
  const problems = await Promise.all([
    ...listPorts(settings).map(({ variable, port }) => checkPort(variable, port)),
    settings.databaseUrl === null ? null : checkDatabase(settings.databaseUrl),
    settings.temporalAddress === null ? null : checkTemporal(settings.temporalAddress),
  ]);
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw new StartError(found.join('\n'));
}

const TIMEOUT_MS = 5_000;

async function checkPort(variable: string, port: number): Promise<string | null> {
  const state = await probePort(port);
  if (state === 'free') return null;
  if (state === 'not permitted')
    return `Port ${port} (${variable}) cannot be opened by this user; set ${variable} to another port.`;
  const holder = describePortHolder(port);
  const by = holder === null ? '' : ` by ${holder}`;
  return `Port ${port} (${variable}) is in use${by}. Stop that process or set ${variable} to another port.`;
}

async function checkDatabase(url: string): Promise<string | null> {
  const { hostname, port, pathname } = new URL(url);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  // Without a listener, a later connection error would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    const where = `${hostname || 'localhost'}:${port || '5432'}`;
    return `The database of DATABASE_URL (${decodeURIComponent(pathname.slice(1)) || 'default'} at ${where}) cannot be reached: ${explain(error, url)}`;
  } finally {
    await client.end();
  }
}

function checkTemporal(address: string): Promise<string | null> {
  const separator = address.lastIndexOf(':');
  const host = address.slice(0, separator).replace(/^\[|\]$/g, '');
  const port = Number(address.slice(separator + 1));
  return new Promise((resolve) => {
    const fail = (reason: string) =>
      resolve(`The Temporal server of TEMPORAL_ADDRESS (${address}) cannot be reached: ${reason}`);
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    socket.once('connect', () => {
      socket.destroy();
      resolve(null);
    });
    socket.once('timeout', () => {
      socket.destroy();
      fail(`no response within ${TIMEOUT_MS / 1_000} s`);
    });
    socket.once('error', (error) => fail(explain(error, '')));
  });
}

/** Returns the reason without the password, which some drivers include in messages. */
function explain(error: unknown, url: string): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const reasons = errors.map((reason) => (reason instanceof Error ? reason.message || reason.name : String(reason)));
  const password = URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '';
  const text = [...new Set(reasons)].join('; ');
  return password === '' ? text : text.replaceAll(password, '…');
}
