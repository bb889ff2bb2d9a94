/**
 * COURANT_HOME/demo.json: where everything is and how to log in, for people and scripts. It is there once all is ready
 * and stays after a stop, because it keeps the demo author's password and token.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../home.ts';

export interface DemoCredentials {
  username: string;
  email: string;
  password: string;
  token: string;
}

export interface DemoFile extends DemoCredentials {
  baseUrl: string;
  apiUrl: string;
  graphqlUrl: string;
  temporalUi: string | null;
  temporalAddress: string;
  sandboxUrl: string;
  databaseUrl: string;
  /** Null for a part that is not ours to run. */
  pids: Record<'api' | 'worker' | 'temporal' | 'postgres' | 'sandbox', number | null>;
}

/** Puts the last run's file aside, so that nobody takes it for this run's, and answers what it knew; null at first. */
export function takeDemoCredentials(home: string): DemoCredentials | null {
  if (existsSync(fileIn(home))) renameSync(fileIn(home), asideIn(home));
  if (!existsSync(asideIn(home))) return null;
  try {
    const { username, email, password, token } = JSON.parse(readFileSync(asideIn(home), 'utf8')) as DemoCredentials;
    return [username, email, password, token].every((value) => typeof value === 'string')
      ? { username, email, password, token }
      : null;
  } catch {
    // Cut off or edited into nonsense: as if it were lost, which is provided for.
    return null;
  }
}

export function writeDemoFile(home: string, demo: DemoFile): void {
  writeAtomically(fileIn(home), `${JSON.stringify(demo, null, 2)}\n`);
  rmSync(asideIn(home), { force: true });
}

/** Of a start that did not get ready: what it knew is kept for the next one. */
export function putBackDemoFile(home: string): void {
  if (existsSync(asideIn(home)) && !existsSync(fileIn(home))) renameSync(asideIn(home), fileIn(home));
}

function fileIn(home: string): string {
  return join(home, 'demo.json');
}

function asideIn(home: string): string {
  return join(home, 'demo.last.json');
}
