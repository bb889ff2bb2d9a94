/**
 * COURANT_HOME/demo.json: all addresses and logins, for people and scripts. Written when everything
 * is ready. Stays after a stop, because it contains passwords and a token.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../home.ts';
import type { ConnectableAccount } from './sandbox-accounts.ts';

export interface DemoLogin {
  username: string;
  email: string;
  password: string;
}

export interface DemoCredentials extends DemoLogin {
  token: string;
  /** A second person, who reads and comments. */
  second: DemoLogin;
  /** A third person with a broken destination. */
  third: DemoLogin;
}

export interface DemoFile extends DemoCredentials {
  baseUrl: string;
  apiUrl: string;
  graphqlUrl: string;
  temporalUi: string | null;
  temporalAddress: string;
  sandboxUrl: string;
  databaseUrl: string;
  /** Accounts at the sandbox, ready to be connected. */
  sandboxAccounts: ConnectableAccount[];
  /** Null for a server that runs elsewhere. */
  pids: Record<'api' | 'worker' | 'temporal' | 'postgres' | 'sandbox', number | null>;
}

/**
 * Renames the file of the last run, so that it is not mistaken for the file of this run. Returns
 * its credentials; null on the first run.
 */
export function setAsideDemoFile(home: string): DemoCredentials | null {
  if (existsSync(buildFilePath(home))) renameSync(buildFilePath(home), buildAsidePath(home));
  if (!existsSync(buildAsidePath(home))) return null;
  try {
    const known = JSON.parse(readFileSync(buildAsidePath(home), 'utf8')) as DemoCredentials;
    const values = [known.password, known.token, known.second.password, known.third.password];
    return values.every((value) => typeof value === 'string') ? known : null;
  } catch {
    // Truncated or malformed: the credentials are replaced.
    return null;
  }
}

export function writeDemoFile(home: string, demo: DemoFile): void {
  writeAtomically(buildFilePath(home), `${JSON.stringify(demo, null, 2)}\n`);
  rmSync(buildAsidePath(home), { force: true });
}

/** After a failed start, keeps the credentials for the next start. */
export function restoreDemoFile(home: string): void {
  if (existsSync(buildAsidePath(home)) && !existsSync(buildFilePath(home)))
    renameSync(buildAsidePath(home), buildFilePath(home));
}

function buildFilePath(home: string): string {
  return join(home, 'demo.json');
}

function buildAsidePath(home: string): string {
  return join(home, 'demo.last.json');
}
