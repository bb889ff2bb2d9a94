/**
 * Serves the metrics of a process to Prometheus. The endpoint has no authentication, so its address
 * must be internal.
 */
import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { MetricsConfig } from '../config/metrics.ts';

export interface MetricsServer {
  close(): Promise<void>;
}

/**
 * Does nothing without an address. Ends the process if the address is not available, because
 * operators rely on metrics.
 */
export async function serveMetrics(
  registry: Registry,
  address: MetricsConfig | null,
  log: Pick<Logger, 'fatal'>,
): Promise<MetricsServer | undefined> {
  if (address === null) return undefined;
  const server = createServer(async ({ method, url }, response) => {
    if (url !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    try {
      const metrics = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(metrics);
    } catch (error) {
      response.writeHead(500).end(`Could not read the metrics: ${(error as Error).message}\n`);
    }
  });
  try {
    await listen(server, address);
  } catch (error) {
    log.fatal({ err: error, ...address }, 'cannot serve the metrics at this address; check whether it is in use');
    process.exit(1);
  }
  return {
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, address: MetricsConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
