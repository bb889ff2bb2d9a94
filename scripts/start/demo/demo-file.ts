/**
 * COURANT_HOME/demo.json: all addresses and logins, for people and scripts. Written when everything
 * is ready. Stays after a stop, because it contains passwords and a token.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectableAccount } from '../../../sandbox/connectable-accounts.ts';
import { replaceFile } from '../../replace-file.ts';
import { PRIVATE_MODE } from '../home.ts';

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

const locate = (home: string) => join(home, 'demo.json');
const locateAside = (home: string) => join(home, 'demo.last.json');

/**
 * Renames the file of the last run, so that it is not mistaken for the file of this run. Returns
 * its credentials.
 */
export function setAsideDemoFile(home: string): Partial<DemoCredentials> {
  if (existsSync(locate(home))) renameSync(locate(home), locateAside(home));
  return readDemoFile(locateAside(home));
}

/** Empty if the file is missing or malformed. The error of a parser would quote its secrets. */
function readDemoFile(file: string): Partial<DemoFile> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<DemoFile>;
  } catch {
    return {};
  }
}

export function writeDemoFile(home: string, demo: DemoFile): void {
  replaceFile(locate(home), `${JSON.stringify(demo, null, 2)}\n`, PRIVATE_MODE);
  rmSync(locateAside(home), { force: true });
}

/** After a failed start, keeps the credentials for the next start. */
export function restoreDemoFile(home: string): void {
  if (existsSync(locateAside(home)) && !existsSync(locate(home))) renameSync(locateAside(home), locate(home));
}

/**
 * Returns the environment; without DATABASE_URL, adds the database that `npm start` runs in the
 * same COURANT_HOME.
 */
export function withDemo(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (variables.DATABASE_URL) return variables;
  const { databaseUrl, baseUrl } = readDemoFile(locate(variables.COURANT_HOME?.trim() || '.courant'));
  if (databaseUrl === undefined) return variables;
  return { ...variables, DATABASE_URL: databaseUrl, BASE_URL: variables.BASE_URL || baseUrl };
}
