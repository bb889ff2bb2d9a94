/** Checks whether a port is free, finds the process that uses it, and finds a free port for tests. */
import { randomInt } from 'node:crypto';
import { globSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { readCommandLine } from './processes/identity.ts';

/** Whether a server can listen on this port of the loopback interface and of all interfaces. */
export async function probePort(port: number): Promise<'free' | 'in use' | 'not permitted'> {
  // Tries both, because on some systems 127.0.0.1 can be bound while 0.0.0.0 is in use, on others
  // the reverse.
  for (const host of ['127.0.0.1', undefined]) {
    const code = await tryToListen(port, host);
    if (code !== undefined) return code === 'EACCES' ? 'not permitted' : 'in use';
  }
  return 'free';
}

/** Below the range for outgoing connections (32768 and up on Linux). */
const OWN_PORTS = { first: 10_000, count: 20_000 };

/**
 * Returns a port that is currently free. Not chosen by the system: an outgoing connection could use
 * such a port before it is bound.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = OWN_PORTS.first + randomInt(OWN_PORTS.count);
    if ((await probePort(port)) === 'free') return port;
  }
}

/** Returns the process that listens on a port, as `pid 123 (command)`; null if unknown. Linux only. */
export function findPortHolder(port: number): string | null {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = globSync('/proc/net/{tcp,tcp6}')
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    // 0A is LISTEN.
    .filter(([, local, , state]) => local?.endsWith(end) && state === '0A')
    .map((fields) => `socket:[${fields[9]}]`);
  const descriptor = globSync('/proc/[0-9]*/fd/*').find((file) => {
    try {
      return sockets.includes(readlinkSync(file));
    } catch {
      // Closed since the listing.
      return false;
    }
  });
  const pid = descriptor?.split('/')[2];
  return pid === undefined ? null : `pid ${pid} (${readCommandLine(Number(pid)).slice(0, 80)})`;
}

/** Resolves to the code of the error; undefined if the port is free. */
function tryToListen(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
