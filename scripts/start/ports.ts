/**
 * Checks whether a port is free, finds the process that uses it, and finds a free port for tests.
 */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { readCommandLine } from './processes/identity.ts';

export type PortState = 'free' | 'in use' | 'not permitted';

/** Whether a server can listen on this port of the loopback interface and of all interfaces. */
export async function probePort(port: number): Promise<PortState> {
  // Tries both, because on some systems 127.0.0.1 can be bound while 0.0.0.0 is in use, on others
  // the reverse.
  const loopback = await tryToListen(port, '127.0.0.1');
  return loopback === 'free' ? tryToListen(port, undefined) : loopback;
}

/** Below the range for outgoing connections (32768 and up on Linux). */
const OWN_PORTS = { first: 10_000, count: 20_000 };

/**
 * Returns a port that is currently free. Not chosen by the system: an outgoing connection could use
 * such a port before it is bound.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = OWN_PORTS.first + randomInt(OWN_PORTS.count);
    if ((await probePort(port)) === 'free') return port;
  }
  throw new Error('no free port was found');
}

/**
 * Returns the process that listens on a port, as `pid 123 (command)`; null if unknown. Linux only.
 */
export function describePortHolder(port: number): string | null {
  const inodes = readListeningInodes(port);
  if (inodes.size === 0) return null;
  for (const entry of listFolder('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if (!holdsSocket(entry, inodes)) continue;
    const command = readCommandLine(Number(entry));
    return command === null ? `pid ${entry}` : `pid ${entry} (${command.slice(0, 80)})`;
  }
  return null;
}

function tryToListen(port: number, host: string | undefined): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EACCES' ? 'not permitted' : 'in use'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

function readListeningInodes(port: number): Set<string> {
  const portHex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      // 0A is LISTEN.
      if (local?.endsWith(`:${portHex}`) && state === '0A' && inode !== undefined) inodes.add(`socket:[${inode}]`);
    }
  }
  return inodes;
}

function holdsSocket(pid: string, inodes: Set<string>): boolean {
  return listFolder(`/proc/${pid}/fd`).some((fd) => {
    try {
      return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      // Closed since the listing.
      return false;
    }
  });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not Linux, or a process of another user.
    return [];
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
