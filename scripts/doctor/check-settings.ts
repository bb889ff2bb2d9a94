/** Each variable by itself: whether it is valid, and whether one that nobody reads was meant for one that somebody does. */
import { readFileSync } from 'node:fs';
import { type ApiConfig, readApiConfig } from '../../api/config.ts';
import { looksLikeName } from '../../article/frontmatter/state-words.ts';
import { ConfigError } from '../../config/environment.ts';
import { readWorkerConfig, type WorkerConfig } from '../../worker/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export type Settings = ApiConfig & WorkerConfig;

/** The settings are null where they are not valid: what they lead to is not looked at then. */
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
      'Correct it in the environment, or in .env. The API and the worker refuse to start with it.',
    ),
  );
  const known = listKnownNames();
  for (const name of Object.keys(variables)) {
    const meant = known.has(name) ? undefined : findMeant(name, known);
    if (meant) {
      findings.push(
        warn(
          'settings',
          `${name} is set, and nothing reads it.`,
          `If ${meant} is meant, rename it; else take it away.`,
        ),
      );
    }
  }
  if (worker && !worker.baseUrl.startsWith('https:') && !isLocal(worker.baseUrl)) {
    findings.push(
      warn(
        'settings',
        'BASE_URL is not https: sessions and tokens travel in the clear.',
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

/** Read by the Temporal SDK, beside those of .env.example. */
const OF_THE_SDK = [
  'CONFIG_FILE',
  'PROFILE',
  'ADDRESS',
  'NAMESPACE',
  'API_KEY',
  'TLS',
  ...['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT'].flatMap((name) => [`TLS_${name}_PATH`, `TLS_${name}_DATA`]),
  'TLS_SERVER_NAME',
].map((name) => `TEMPORAL_${name}`);

/** Every setting stands in .env.example. */
function listKnownNames(): Set<string> {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const names = [...example.matchAll(/^#?([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name);
  return new Set([...names, ...OF_THE_SDK]);
}

/** What others set beside us, and what looks like ours: HOST and HOME differ by a letter. */
const OF_OTHERS = new Set(['HOME', 'PATH', 'POST', 'USER', 'HOSTNAME', 'PORTS']);

function findMeant(name: string, known: Set<string>): string | undefined {
  if (OF_OTHERS.has(name) || name.startsWith('TEMPORAL_GRPC_META_')) return undefined;
  return [...known].find((one) => one.length > 4 && looksLikeName(name.toUpperCase(), one));
}

function isLocal(address: string): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(new URL(address).host);
}
