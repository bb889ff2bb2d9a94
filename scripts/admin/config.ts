/** Reads the configuration of operator commands. */
import { readEnvironment } from '../../runtime/config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../../runtime/config/shared.ts';
import { withDemo } from '../start/demo/demo-file.ts';

/** Throws `ConfigError`. Without DATABASE_URL, the database that `npm start` runs in COURANT_HOME. */
export function readAdminConfig(variables: NodeJS.ProcessEnv = process.env): SharedConfig {
  const env = readEnvironment(withDemo(variables));
  const config = readSharedConfig(env);
  env.assertValid();
  return config;
}
