/**
 * Reads the settings of `npm start` from the environment and reports all problems at once. Passes
 * variables that only the parts read (rates, log level, keys …) on unchanged.
 */
import { resolve } from 'node:path';
import { StartError } from './start-error.ts';

export interface StartSettings {
  /** COURANT_HOME as an absolute path. */
  home: string;
  port: number;
  temporalPort: number;
  temporalUiPort: number;
  postgresPort: number;
  sandboxPort: number;
  baseUrl: string;
  apiUrl: string;
  /** The address of the API on this machine: BASE_URL may name a proxy that is not running yet. */
  localApiUrl: string;
  /** A PostgreSQL to use instead of the embedded one. */
  databaseUrl: string | null;
  /** A Temporal server (host:port) to use instead of the embedded one. */
  temporalAddress: string | null;
}

/**
 * Reads the settings. Paths are relative to `root`. Throws a `StartError` that lists all problems.
 */
export function readSettings(env: NodeJS.ProcessEnv, root: string): StartSettings {
  const problems: string[] = [];
  const ports = Object.fromEntries(
    Object.entries(DEFAULT_PORTS).map(([name, fallback]) => [name, readPort(env, name, fallback, problems)]),
  ) as Record<PortVariable, number>;
  const baseUrl = readUrl(env, 'BASE_URL', ['http:', 'https:'], problems) ?? `http://localhost:${ports.PORT}`;
  const settings: StartSettings = {
    home: resolve(root, env.COURANT_HOME || '.courant'),
    port: ports.PORT,
    temporalPort: ports.TEMPORAL_PORT,
    temporalUiPort: ports.TEMPORAL_UI_PORT,
    postgresPort: ports.POSTGRES_PORT,
    sandboxPort: ports.SANDBOX_PORT,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiUrl: (readUrl(env, 'API_URL', ['http:', 'https:'], problems) ?? baseUrl).replace(/\/+$/, ''),
    localApiUrl: `http://${findLocalHost(env)}:${ports.PORT}`,
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], problems),
    temporalAddress: readAddress(env, 'TEMPORAL_ADDRESS', problems),
  };
  findSharedPorts(settings, problems);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return settings;
}

/** Lists the ports that this start opens, with their variables. */
export function listPorts(settings: StartSettings): { variable: PortVariable; port: number }[] {
  const { databaseUrl, temporalAddress } = settings;
  return [
    { variable: 'PORT' as const, port: settings.port },
    { variable: 'SANDBOX_PORT' as const, port: settings.sandboxPort },
    ...(databaseUrl === null ? [{ variable: 'POSTGRES_PORT' as const, port: settings.postgresPort }] : []),
    ...(temporalAddress === null
      ? [
          { variable: 'TEMPORAL_PORT' as const, port: settings.temporalPort },
          { variable: 'TEMPORAL_UI_PORT' as const, port: settings.temporalUiPort },
        ]
      : []),
  ];
}

const DEFAULT_PORTS = {
  PORT: 3000,
  TEMPORAL_PORT: 7233,
  TEMPORAL_UI_PORT: 8233,
  POSTGRES_PORT: 5433,
  SANDBOX_PORT: 4010,
};
type PortVariable = keyof typeof DEFAULT_PORTS;

function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number, problems: string[]): number {
  const text = env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  problems.push(`${name} must be a port number from 1 to 65535, not "${text}".`);
  return fallback;
}

function readUrl(env: NodeJS.ProcessEnv, name: string, schemes: string[], problems: string[]): string | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && schemes.includes(url.protocol)) return text;
  // Does not quote the value, which may contain a password.
  problems.push(`${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`);
  return null;
}

function readAddress(env: NodeJS.ProcessEnv, name: string, problems: string[]): string | null {
  const text = env[name]?.trim();
  if (!text) return null;
  if (/^(\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+):\d{1,5}$/.test(text)) return text;
  problems.push(`${name} must be host:port, not "${text}".`);
  return null;
}

/**
 * HOST is the address that the API listens on. A wildcard address is not usable for a connection.
 */
function findLocalHost(env: NodeJS.ProcessEnv): string {
  const host = env.HOST?.trim() ?? '';
  if (['', '0.0.0.0', '::', 'localhost'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function findSharedPorts(settings: StartSettings, problems: string[]): void {
  const names = new Map<number, PortVariable>();
  for (const { variable, port } of listPorts(settings)) {
    const other = names.get(port);
    if (other !== undefined) problems.push(`${other} and ${variable} are both ${port}; give them different ports.`);
    names.set(port, variable);
  }
}
