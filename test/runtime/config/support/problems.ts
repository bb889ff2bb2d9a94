/** Reads the problems of a configuration. */
import assert from 'node:assert/strict';
import { ConfigError } from '../../../../runtime/config/environment.ts';

/** The only variable that must be set. */
export const DATABASE = { DATABASE_URL: 'postgres://localhost/courant' };

/** The problems of a configuration; empty if it is valid. */
export function listProblems(
  variables: Record<string, string>,
  read: (all: Record<string, string>) => unknown,
): string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}
