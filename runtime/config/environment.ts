/**
 * Reads environment variables and reports all problems at once. Never quotes values, which may be
 * secrets.
 */
import type { SettingName } from './settings.ts';
import { isWebAddress } from './web-address.ts';

export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface EnvironmentReader {
  text(name: SettingName, fallback?: string): string;
  optional(name: SettingName): string | undefined;
  integer(name: SettingName, options: { fallback: number; min: number; max: number }): number;
  /** `true/false`, `on/off`, `yes/no`, `1/0`. */
  flag(name: SettingName, fallback: boolean): boolean;
  /** An absolute http(s) address, returned without a trailing slash. */
  address(name: SettingName, fallback?: string): string;
  oneOf<T extends string>(name: SettingName, values: readonly T[], fallback: T): T;
  /** A value that must satisfy `isValid`; undefined if it is not set. */
  matching(name: SettingName, expected: string, isValid: (value: string) => boolean): string | undefined;
  /** Throws a `ConfigError` with all problems found so far. */
  assertValid(): void;
}

export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentReader {
  const problems: string[] = [];
  const read = (name: string) => env[name]?.trim() || undefined;
  function report<T>(name: SettingName, expected: string, fallback: T): T {
    const problem = `${name} ${read(name) === undefined ? 'is missing' : 'is malformed'}: expected ${expected}`;
    // Two readers may read the same variable. Its problem is reported once.
    if (!problems.includes(problem)) problems.push(problem);
    return fallback;
  }
  return {
    text(name, fallback) {
      return read(name) ?? fallback ?? report(name, 'a value', '');
    },
    optional: read,
    matching(name, expected, isValid) {
      const value = read(name);
      return value === undefined || isValid(value) ? value : report(name, expected, undefined);
    },
    integer(name, { fallback, min, max }) {
      const value = read(name);
      if (value === undefined) return fallback;
      const number = Number(value);
      const isInRange = Number.isInteger(number) && number >= min && number <= max;
      return isInRange ? number : report(name, `a whole number from ${min} to ${max}`, fallback);
    },
    flag(name, fallback) {
      const value = read(name)?.toLowerCase();
      if (value === undefined) return fallback;
      if (['true', 'on', 'yes', '1'].includes(value)) return true;
      if (['false', 'off', 'no', '0'].includes(value)) return false;
      return report(name, 'true or false', fallback);
    },
    address(name, fallback) {
      const value = read(name) ?? fallback;
      if (value !== undefined && isAddress(value)) {
        return value.replace(/\/+$/, '');
      }
      return report(name, 'an absolute HTTP or HTTPS URL', '');
    },
    oneOf(name, values, fallback) {
      const value = read(name);
      if (value === undefined) return fallback;
      return values.find((known) => known === value) ?? report(name, `one of ${values.join(', ')}`, fallback);
    },
    assertValid() {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}

function isAddress(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { search, hash } = new URL(value);
  return search === '' && hash === '';
}
