/** Where the database is, and whether a pooler stands before it. */
import type { EnvironmentReader } from './environment.ts';

export interface DatabaseConfig {
  databaseUrl: string;
  /**
   * PostgreSQL itself, where `databaseUrl` leads to a pooler that lends a session for one transaction; else the same. LISTEN needs a session of its
   * own, and migrations take longer than a pooler may allow.
   */
  databaseDirectUrl: string;
  /** Whether `databaseUrl` leads to such a pooler. */
  databasePooled: boolean;
  /** Whether hot statements are kept prepared. Behind a pooler only where that one knows of them (PgBouncer from 1.21 on). */
  databasePrepares: boolean;
}

/** The most connections that one process has, beside one to listen. */
export const DATABASE_CONNECTIONS = { api: 20, worker: 10 } as const;

export function readDatabaseConfig(env: EnvironmentReader): DatabaseConfig {
  const databaseUrl = readDatabaseUrl(env);
  const direct = env.checked('DATABASE_DIRECT_URL', EXPECTED, isDatabaseUrl);
  return {
    databaseUrl,
    databaseDirectUrl: direct ?? databaseUrl,
    databasePooled: direct !== undefined,
    databasePrepares: env.flag('DATABASE_PREPARED_STATEMENTS', direct === undefined),
  };
}

/** For what needs a session: migrations. */
export function readDirectUrl(env: EnvironmentReader): string {
  return env.checked('DATABASE_DIRECT_URL', EXPECTED, isDatabaseUrl) ?? readDatabaseUrl(env);
}

const EXPECTED = 'postgres://user:password@host:port/database';

function readDatabaseUrl(env: EnvironmentReader): string {
  return env.checked('DATABASE_URL', EXPECTED, isDatabaseUrl) ?? env.text('DATABASE_URL');
}

function isDatabaseUrl(value: string): boolean {
  return URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);
}
