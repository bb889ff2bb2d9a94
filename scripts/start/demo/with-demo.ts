/**
 * Returns the environment; without DATABASE_URL, adds the database that `npm start` runs in the
 * same COURANT_HOME.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function withDemo(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = join(variables.COURANT_HOME?.trim() || '.courant', 'demo.json');
  if (variables.DATABASE_URL || !existsSync(file)) return variables;
  const { databaseUrl, baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return { ...variables, DATABASE_URL: databaseUrl, BASE_URL: variables.BASE_URL || baseUrl };
}
