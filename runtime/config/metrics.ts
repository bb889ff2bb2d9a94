/** Reads the address of the metrics endpoint of a process. It differs from the public address. */
import type { EnvironmentReader } from './environment.ts';
import type { SettingName } from './settings.ts';

export interface MetricsConfig {
  host: string;
  port: number;
}

/** Returns null if no port is set; no metrics are collected then. */
export function readMetricsConfig(env: EnvironmentReader, portName: SettingName): MetricsConfig | null {
  const host = env.text('METRICS_HOST', '127.0.0.1');
  if (env.optional(portName) === undefined) return null;
  return { host, port: env.integer(portName, { fallback: 0, min: 1, max: 65_535 }) };
}
