/**
 * The embedded PostgreSQL as a process: its command, its readiness, and the role and database of
 * the service.
 */
import pg from 'pg';
import { type Command, retryUntilReady } from '../processes/launch.ts';
import { buildPostgresEnvironment, type Cluster } from './cluster.ts';

/** The log is limited because tests keep it in memory. */
const VOLATILE = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'min_wal_size=64MB',
  'max_wal_size=256MB',
];

/**
 * Builds the start command. `durable: false` trades safety after a power loss for speed; for tests
 * only.
 */
export function buildPostgresCommand(cluster: Cluster, options: { port: number; durable: boolean }): Command {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${options.port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  if (!options.durable) settings.push(...VOLATILE);
  const [file = cluster.programs.postgres, ...before] = [...cluster.prefix, cluster.programs.postgres];
  return {
    file,
    args: [...before, '-D', cluster.folder, ...settings.flatMap((setting) => ['-c', setting])],
    env: buildPostgresEnvironment(),
    cwd: cluster.folder,
    account: cluster.prefix.length > 0 ? undefined : cluster.account,
  };
}

/** Builds the address of a database in the cluster, for the superuser or the service. */
export function buildClusterUrl(
  cluster: Cluster,
  options: { port: number; role: 'postgres' | 'courant'; database: string },
): string {
  const password = options.role === 'postgres' ? cluster.password : cluster.servicePassword;
  return `postgres://${options.role}:${password}@127.0.0.1:${options.port}/${options.database}`;
}

/** Waits until the server responds to queries, which after a crash is when its log is replayed. */
export function waitForPostgres(url: string, options: { timeoutMs: number; gone: AbortSignal }): Promise<void> {
  return retryUntilReady('PostgreSQL', () => withClient(url, (client) => client.query('select 1')), options);
}

/** Creates the role `courant` and its database of the same name if they are missing. */
export async function ensureServiceDatabase(cluster: Cluster, port: number): Promise<void> {
  await withClient(buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' }), async (client) => {
    const role = await client.query(`select 1 from pg_roles where rolname = 'courant'`);
    // Sets the password of an existing role as well, because it may be a new one.
    const verb = role.rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role courant login password ${client.escapeLiteral(cluster.servicePassword)}`);
    const database = await client.query(`select 1 from pg_database where datname = 'courant'`);
    if (database.rowCount === 0) await client.query('create database courant owner courant');
  });
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 30_000 });
  // Without a listener, a later connection error would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
