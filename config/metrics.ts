/** Where a process shows its metrics: at an address of its own, which is never that of readers. */
import type { EnvironmentReader } from './environment.ts';

export interface MetricsConfig {
  host: string;
  port: number;
}

/** Null where no port is set: nothing is counted then. */
export function readMetricsConfig(env: EnvironmentReader, portName: string): MetricsConfig | null {
  const host = env.text('METRICS_HOST', '127.0.0.1');
  if (env.optional(portName) === undefined) return null;
  return { host, port: env.integer(portName, { fallback: 0, min: 1, max: 65_535 }) };
}
