/** Reads the database addresses, and whether a connection pooler is in front. */
import type { EnvironmentReader } from './environment.ts';

export interface DatabaseConfig {
  databaseUrl: string;
  /**
   * The direct address of PostgreSQL; equals `databaseUrl` without a transaction pooler. LISTEN
   * needs its own session, and migrations exceed the time limits of poolers.
   */
  databaseDirectUrl: string;
  /** Whether `databaseUrl` is the address of a transaction pooler. */
  databasePooled: boolean;
  /** Whether frequent statements are prepared. A pooler must support it (PgBouncer from 1.21). */
  databasePrepares: boolean;
}

/** The maximum number of connections of one process, besides one for LISTEN. */
export const MAX_DATABASE_CONNECTIONS = { api: 20, worker: 10 } as const;

export function readDatabaseConfig(env: EnvironmentReader): DatabaseConfig {
  const databaseUrl = readDatabaseUrl(env);
  const direct = env.matching('DATABASE_DIRECT_URL', EXPECTED_URL, isDatabaseUrl);
  return {
    databaseUrl,
    databaseDirectUrl: direct ?? databaseUrl,
    databasePooled: direct !== undefined,
    databasePrepares: env.flag('DATABASE_PREPARED_STATEMENTS', direct === undefined),
  };
}

/** The direct address, for migrations, which need a session. */
export function readDirectUrl(env: EnvironmentReader): string {
  return env.matching('DATABASE_DIRECT_URL', EXPECTED_URL, isDatabaseUrl) ?? readDatabaseUrl(env);
}

const EXPECTED_URL = 'postgres://user:password@host:port/database';

function readDatabaseUrl(env: EnvironmentReader): string {
  return env.matching('DATABASE_URL', EXPECTED_URL, isDatabaseUrl) ?? env.text('DATABASE_URL');
}

function isDatabaseUrl(value: string): boolean {
  return URL.canParse(value) && ['postgres:', 'postgresql:'].includes(new URL(value).protocol);
}
