/** What the API and the worker both need to know. */
import type { EnvironmentReader } from './environment.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface SharedConfig {
  databaseUrl: string;
  /** Folder of all local state. */
  home: string;
  /** {base_url} of the specification, without a trailing slash. */
  baseUrl: string;
  credentialsKey: string | undefined;
  /** Destinations on private addresses are allowed (sandbox, intranet). */
  allowPrivate: boolean;
  /** Temporal task queue of the actors. */
  taskQueue: string;
  logLevel: (typeof LOG_LEVELS)[number];
}

export function readSharedConfig(env: EnvironmentReader): SharedConfig {
  const port = env.integer('PORT', { fallback: 3000, min: 1, max: 65_535 });
  return {
    databaseUrl: readDatabaseUrl(env),
    home: env.text('COURANT_HOME', '.courant'),
    baseUrl: env.address('BASE_URL', `http://localhost:${port}`),
    credentialsKey: env.optional('COURANT_CREDENTIALS_KEY'),
    allowPrivate: env.flag('ALLOW_PRIVATE_DESTINATIONS', false),
    taskQueue: env.text('TEMPORAL_TASK_QUEUE', 'courant'),
    logLevel: env.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}

export function readDatabaseUrl(env: EnvironmentReader): string {
  const url = env.checked('DATABASE_URL', 'postgres://user:password@host:port/database', isDatabaseUrl);
  return url ?? env.text('DATABASE_URL');
}

function isDatabaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  return /^postgres(ql)?:$/.test(new URL(value).protocol);
}
