/** The worker's configuration, from environment variables. The only file of this room that looks at them. */
import { readEnvironment } from '../config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../config/shared.ts';

export interface WorkerConfig extends SharedConfig {
  /** Off only for measuring: deliveries then do not take turns. */
  pacing: boolean;
}

/** Throws `ConfigError` with every problem. */
export function readWorkerConfig(variables: NodeJS.ProcessEnv = process.env): WorkerConfig {
  const env = readEnvironment(variables);
  const config = { ...readSharedConfig(env), pacing: env.flag('DELIVERY_PACING', true) };
  env.finish();
  return config;
}
