/** Reads the configuration of operator commands and the identity of the operator. */
import { hostname, userInfo } from 'node:os';
import { readEnvironment } from '../../runtime/config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../../runtime/config/shared.ts';
import { withDemo } from '../start/demo/demo-file.ts';

/** Throws `ConfigError`. */
export function readAdminConfig(variables: NodeJS.ProcessEnv = process.env): SharedConfig {
  const env = readEnvironment(withDemo(variables));
  const config = readSharedConfig(env);
  env.assertValid();
  return config;
}

/**
 * Read from the operating system, not the environment, which anybody can set. The host name
 * identifies a container.
 */
export function describeOperator(): string {
  return `${userInfo().username}@${hostname()}`.slice(0, 200);
}
