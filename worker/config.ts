/** Reads the worker's configuration from environment variables; no other file here reads them. */
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { parseMailbox, parseSmtpUrl } from '../mail/smtp/address.ts';
import { readEnvironment } from '../runtime/config/environment.ts';
import { type MetricsConfig, readMetricsConfig } from '../runtime/config/metrics.ts';
import { readSharedConfig, type SharedConfig } from '../runtime/config/shared.ts';

export interface WorkerConfig extends SharedConfig {
  /** Listener for the process's metrics; null if disabled. */
  metrics: MetricsConfig | null;
  /** Listener for the Temporal SDK's metrics; null if disabled. */
  temporalMetrics: MetricsConfig | null;
  /** False only in measurements: deliveries then reserve no rate slots. */
  pacing: boolean;
  /** How long an unanswered request to a destination may still arrive. */
  lateArrivalMs: number;
  /** A file written every few seconds, by which a supervisor detects a hanging process. */
  aliveFile: string | undefined;
  /** The mail server; without it, mails are stored in COURANT_HOME. */
  smtpUrl: string | undefined;
  /** Sender of mails. */
  mailFrom: string | undefined;
}

/** Throws a `ConfigError` that lists all problems. */
export function readWorkerConfig(
  variables: NodeJS.ProcessEnv = process.env,
  env = readEnvironment(variables),
): WorkerConfig {
  const config = {
    ...readSharedConfig(env),
    metrics: readMetricsConfig(env, 'WORKER_METRICS_PORT'),
    temporalMetrics: readMetricsConfig(env, 'TEMPORAL_METRICS_PORT'),
    pacing: env.flag('DELIVERY_PACING', true),
    lateArrivalMs:
      1000 * env.integer('LATE_REQUEST_SECONDS', { fallback: TIMEOUTS.lateArrivalMs / 1000, min: 1, max: 3600 }),
    aliveFile: env.optional('ALIVE_FILE'),
    smtpUrl: env.matching('SMTP_URL', 'smtp[s]://[user:password@]host[:port]', (text) => parseSmtpUrl(text) !== null),
    mailFrom: env.matching('MAIL_FROM', 'Name <address> or an address', (text) => parseMailbox(text) !== null),
  };
  env.assertValid();
  return config;
}
