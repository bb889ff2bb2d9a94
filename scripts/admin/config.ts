/** Where the operator's commands work, and who gives them. */
import { hostname, userInfo } from 'node:os';
import { readEnvironment } from '../../config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../../config/shared.ts';
import { withDemo } from '../start/demo/with-demo.ts';

/** Throws `ConfigError`. */
export function readAdminConfig(variables: NodeJS.ProcessEnv = process.env): SharedConfig {
  const env = readEnvironment(withDemo(variables));
  const config = readSharedConfig(env);
  env.finish();
  return config;
}

/** The operating system says so, not the environment, which anybody sets; of a container the host's name tells which. */
export function describeOperator(): string {
  return `${userInfo().username}@${hostname()}`.slice(0, 200);
}
