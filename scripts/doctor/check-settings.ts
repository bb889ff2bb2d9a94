/** Checks each environment variable, and finds unknown variables that are probably misspelt. */
import { readFileSync } from 'node:fs';
import { type ApiConfig, readApiConfig } from '../../api/config.ts';
import { looksLikeName } from '../../article/frontmatter/state/state-words.ts';
import { ConfigError } from '../../runtime/config/environment.ts';
import { readWorkerConfig, type WorkerConfig } from '../../worker/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export type Settings = ApiConfig & WorkerConfig;

/** `settings` is null if they are invalid; the services they name are not checked then. */
export function checkSettings(variables: NodeJS.ProcessEnv): { settings: Settings | null; findings: Finding[] } {
  const problems = new Set<string>();
  const read = <T>(readConfig: (variables: NodeJS.ProcessEnv) => T): T | null => {
    try {
      return readConfig(variables);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return null;
    }
  };
  const [api, worker] = [read(readApiConfig), read(readWorkerConfig)];
  const findings = [...problems].map((problem) =>
    fail(
      'settings',
      `${problem}.`,
      'Correct it in the environment or in .env. The API and the worker cannot start with this value.',
    ),
  );
  const known = listKnownNames();
  for (const name of Object.keys(variables)) {
    const intended = known.has(name) ? undefined : findIntended(name, known);
    if (intended) {
      findings.push(
        warn(
          'settings',
          `${name} is set, but nothing reads it.`,
          `If you mean ${intended}, rename it. Otherwise remove it.`,
        ),
      );
    }
  }
  if (worker && !worker.baseUrl.startsWith('https:') && !isLocal(worker.baseUrl)) {
    findings.push(
      warn(
        'settings',
        'BASE_URL is not https: sessions and tokens are sent unencrypted.',
        'See docs/deployment.md, “A balancer”.',
      ),
    );
  }
  const settings = api && worker ? { ...worker, ...api } : null;
  return {
    settings,
    findings: findings.length > 0 ? findings : [ok('settings', 'Every variable that is set is valid.')],
  };
}

/** Variables that the Temporal SDK reads, besides those of .env.example. */
const SDK_NAMES = [
  'CONFIG_FILE',
  'PROFILE',
  'ADDRESS',
  'NAMESPACE',
  'API_KEY',
  'TLS',
  ...['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT'].flatMap((name) => [`TLS_${name}_PATH`, `TLS_${name}_DATA`]),
  'TLS_SERVER_NAME',
].map((name) => `TEMPORAL_${name}`);

/** .env.example lists every setting. */
function listKnownNames(): Set<string> {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const names = [...example.matchAll(/^#?([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name);
  return new Set([...names, ...SDK_NAMES]);
}

/** Variables of other programs that resemble ours: HOST and HOME differ by one letter. */
const FOREIGN_NAMES = new Set(['HOME', 'PATH', 'POST', 'USER', 'HOSTNAME', 'PORTS']);

function findIntended(name: string, known: Set<string>): string | undefined {
  if (FOREIGN_NAMES.has(name) || name.startsWith('TEMPORAL_GRPC_META_')) return undefined;
  return [...known].find((candidate) => candidate.length > 4 && looksLikeName(name.toUpperCase(), candidate));
}

function isLocal(address: string): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(new URL(address).host);
}
