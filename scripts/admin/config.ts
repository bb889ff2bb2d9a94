/** Where the operator's commands work, and who gives them. */
import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../../config/shared.ts';

/** Throws `ConfigError`. */
export function readAdminConfig(variables: NodeJS.ProcessEnv = process.env): SharedConfig {
  const home = variables.COURANT_HOME?.trim() || '.courant';
  const env = readEnvironment({ ...readDemo(home), ...variables });
  const config = readSharedConfig(env);
  env.finish();
  return config;
}

/** The operating system says so, not the environment, which anybody sets; of a container the host's name tells which. */
export function describeOperator(): string {
  return `${userInfo().username}@${hostname()}`.slice(0, 200);
}

/** What `npm start` runs here; nothing where it never did. */
function readDemo(home: string): NodeJS.ProcessEnv {
  const file = join(home, 'demo.json');
  if (!existsSync(file)) return {};
  const { databaseUrl, baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return { DATABASE_URL: databaseUrl, BASE_URL: baseUrl };
}
