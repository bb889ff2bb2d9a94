/** Opens the worker's two connections to Temporal and registers its search attributes. */
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { buildConnectionOptions, type TemporalConfig } from '../temporal/connection.ts';
import { describeTemporalFailure } from '../temporal/describe-failure.ts';
import { probeTemporal } from '../temporal/probe.ts';
import { registerSearchAttributes, SEARCH_ATTRIBUTE_NAMES } from '../temporal/visibility/search-attributes.ts';

/**
 * Connects, registers the search attributes, and calls `prepare`. Retries all of it, because the
 * Temporal server may start later than this process, and one that has just started may accept a
 * connection and not answer yet.
 */
export async function connectWithRetries(
  config: TemporalConfig,
  log: Logger,
  prepare: (connection: Connection) => Promise<void>,
): Promise<{ connection: Connection; native: NativeConnection }> {
  for (let attempt = 1; ; attempt++) {
    let connection: Connection | undefined;
    try {
      connection = await Connection.connect(buildConnectionOptions(config));
      await ensureSearchAttributes(connection, config, log);
      await prepare(connection);
      const native = await NativeConnection.connect(config.connectionOptions ?? {});
      return { connection, native };
    } catch (error) {
      await connection?.close();
      const waitMs = Math.min(10_000, 250 * 2 ** Math.min(attempt, 6));
      const { message, remedy } = describeTemporalFailure((await probeTemporal(config)) ?? error, config);
      log.warn({ reason: message, next: remedy, waitMs }, 'Temporal is unavailable; retrying');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Temporal Cloud rejects both the registration and the listing; it then only logs a warning. */
async function ensureSearchAttributes(
  connection: Connection,
  { namespace }: TemporalConfig,
  log: Logger,
): Promise<void> {
  try {
    await registerSearchAttributes(connection, namespace);
  } catch (error) {
    const { code } = error as { code?: number };
    if (code !== GRPC_PERMISSION_DENIED && code !== GRPC_UNIMPLEMENTED) throw error;
    const names = SEARCH_ATTRIBUTE_NAMES.join(', ');
    log.warn(
      { reason: (error as Error).message },
      `Temporal does not let the worker register search attributes: create ${names} as Keyword`,
    );
  }
}

const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNIMPLEMENTED = 12;
