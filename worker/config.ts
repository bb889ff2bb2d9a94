/** The worker's configuration, from environment variables. The only file of this room that looks at them. */
import { readEnvironment } from '../config/environment.ts';
import { type MetricsConfig, readMetricsConfig } from '../config/metrics.ts';
import { readSharedConfig, type SharedConfig } from '../config/shared.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { parseMailbox, parseSmtpUrl } from '../mail/smtp/address.ts';

export interface WorkerConfig extends SharedConfig {
  /** Where Prometheus reads what this process counts; null where it does not. */
  metrics: MetricsConfig | null;
  /** The same, of what the Temporal SDK counts, which has a listener of its own. */
  temporalMetrics: MetricsConfig | null;
  /** Off only for measuring: deliveries then reserve no rate slots. */
  pacing: boolean;
  /** How long a request to a destination that nobody answered may still arrive there. */
  lateArrivalMs: number;
  /** Written every few seconds, for a supervisor that wants to know whether this process hangs. */
  aliveFile: string | undefined;
  /** Where mails go; without it they are kept in COURANT_HOME. */
  smtpUrl: string | undefined;
  /** Sender of mails. */
  mailFrom: string | undefined;
}

/** Throws `ConfigError` with every problem. */
export function readWorkerConfig(variables: NodeJS.ProcessEnv = process.env): WorkerConfig {
  const env = readEnvironment(variables);
  const config = {
    ...readSharedConfig(env),
    metrics: readMetricsConfig(env, 'WORKER_METRICS_PORT'),
    temporalMetrics: readMetricsConfig(env, 'TEMPORAL_METRICS_PORT'),
    pacing: env.flag('DELIVERY_PACING', true),
    lateArrivalMs:
      1000 * env.integer('LATE_REQUEST_SECONDS', { fallback: TIMEOUTS.lateArrivalMs / 1000, min: 1, max: 3600 }),
    aliveFile: env.optional('ALIVE_FILE'),
    smtpUrl: env.checked('SMTP_URL', 'smtp[s]://[user:password@]host[:port]', (text) => parseSmtpUrl(text) !== null),
    mailFrom: env.checked('MAIL_FROM', 'Name <address> or an address', (text) => parseMailbox(text) !== null),
  };
  env.finish();
  return config;
}
