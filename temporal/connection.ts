/**
 * Connects to the Temporal server. The SDK's `envconfig` reads `TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…` and the TOML profile.
 */
import { Client, type ClientInterceptors, Connection, type ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { CALL_INTERCEPTORS } from './cancel-after-close.ts';

export interface TemporalConfig {
  connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  namespace: string;
}

/** Throws if a file named in the settings cannot be read. */
export function loadTemporalConfig(variables: NodeJS.ProcessEnv = process.env): TemporalConfig {
  const { connectionOptions, namespace } = loadClientConnectConfig({
    overrideEnvVars: variables as Record<string, string>,
  });
  return { connectionOptions, namespace: namespace ?? 'default' };
}

/** Connects at the first call, so that a process can start while the server is down. */
export function createLazyClient(
  config: TemporalConfig,
  interceptors: ClientInterceptors = {},
): { client: Client; close: () => Promise<void> } {
  const connection = Connection.lazy(buildConnectionOptions(config));
  const client = new Client({ connection, namespace: config.namespace, interceptors });
  return { client, close: () => connection.close() };
}

export function buildConnectionOptions(config: Pick<TemporalConfig, 'connectionOptions'>): ConnectionOptions {
  return { ...config.connectionOptions, interceptors: CALL_INTERCEPTORS, connectTimeout: '5s' };
}
