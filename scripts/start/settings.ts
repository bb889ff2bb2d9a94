/**
 * Reads the settings of `npm start` from the environment and reports all problems at once. Passes
 * variables that only the parts read (rates, log level, keys …) on unchanged.
 */
import { resolve } from 'node:path';
import { type EnvironmentReader, readEnvironment } from '../../runtime/config/environment.ts';
import { StartError } from './start-error.ts';

const DEFAULT_PORTS = {
  PORT: 3000,
  SANDBOX_PORT: 4010,
  POSTGRES_PORT: 5433,
  TEMPORAL_PORT: 7233,
  TEMPORAL_UI_PORT: 8233,
};

export type PortName = keyof typeof DEFAULT_PORTS;
const PORT_NAMES = Object.keys(DEFAULT_PORTS) as PortName[];

export type StartSettings = ReturnType<typeof readSettings>;

/** Reads the settings. Paths are relative to `root`. Throws an error that lists all problems. */
export function readSettings(variables: NodeJS.ProcessEnv, root: string, env = readEnvironment(variables)) {
  const ports = new Map(
    PORT_NAMES.map((name) => [name, env.integer(name, { fallback: DEFAULT_PORTS[name], min: 1, max: 65_535 })]),
  );
  const getPort = (name: PortName) => ports.get(name) ?? DEFAULT_PORTS[name];
  const baseUrl = env.address('BASE_URL', `http://localhost:${getPort('PORT')}`);
  const settings = {
    /** COURANT_HOME as an absolute path. */
    home: resolve(root, env.text('COURANT_HOME', '.courant')),
    port: getPort('PORT'),
    temporalPort: getPort('TEMPORAL_PORT'),
    temporalUiPort: getPort('TEMPORAL_UI_PORT'),
    postgresPort: getPort('POSTGRES_PORT'),
    sandboxPort: getPort('SANDBOX_PORT'),
    /** The ports that this start opens, by variable. */
    ports,
    baseUrl,
    apiUrl: env.address('API_URL', baseUrl),
    /** The address of the API on this machine: BASE_URL may name a proxy that is not running yet. */
    localApiUrl: `http://${findLocalHost(env)}:${getPort('PORT')}`,
    /** A PostgreSQL to use instead of the embedded one. */
    databaseUrl: env.matching('DATABASE_URL', 'a postgres:// URL', isDatabaseUrl),
    /** A Temporal server to use instead of the embedded one. */
    temporalAddress: env.matching('TEMPORAL_ADDRESS', 'host:port', isAddress),
  };
  env.assertValid();
  if (settings.databaseUrl) ports.delete('POSTGRES_PORT');
  if (settings.temporalAddress) for (const name of ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const) ports.delete(name);
  for (const [name, port] of ports) {
    const other = [...ports].find(([otherName, otherPort]) => otherName !== name && otherPort === port);
    if (other) throw new StartError(`${name} and ${other[0]} are both ${port}; give them different ports.`);
  }
  return settings;
}

const isDatabaseUrl = (text: string) => /^postgres(ql)?:/.test(text) && URL.canParse(text);
const isAddress = (text: string) => /:\d+$/.test(text) && URL.canParse(`tcp://${text}`);

/** HOST is the address that the API listens on. A wildcard address is not usable for a connection. */
function findLocalHost(env: EnvironmentReader): string {
  const host = env.text('HOST', 'localhost');
  if (['0.0.0.0', '::', 'localhost'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
