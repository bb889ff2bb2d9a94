/** Checks each environment variable, and finds unknown variables that are probably misspelt. */
import { type ApiConfig, readApiConfig } from '../../api/config.ts';
import { looksLikeName } from '../../article/frontmatter/state/state-words.ts';
import { ConfigError } from '../../runtime/config/environment.ts';
import { SETTING_GROUPS } from '../../runtime/config/settings.ts';
import { readWorkerConfig, type WorkerConfig } from '../../worker/config.ts';
import { createFindings, type Finding } from './finding.ts';

export type Settings = ApiConfig & WorkerConfig;

const { ok, warn, fail } = createFindings('settings');
/** Variables of other programs that resemble ours. */
const FOREIGN_NAMES = /^(HOME|PATH|POST|USER|HOSTNAME|PORTS|TEMPORAL_GRPC_META_.*)$/;
/** Variables that the Temporal SDK reads, besides those of SETTING_GROUPS. */
const SDK_NAMES = [
  ...['CONFIG_FILE', 'PROFILE', 'ADDRESS', 'NAMESPACE', 'API_KEY', 'TLS', 'TLS_SERVER_NAME'],
  ...['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT'].flatMap((name) => [`TLS_${name}_PATH`, `TLS_${name}_DATA`]),
].map((name) => `TEMPORAL_${name}`);

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
  const advice = 'Correct it in the environment or in .env. The API and the worker cannot start with this value.';
  const findings = [...problems].map((problem) => fail(`${problem}.`, advice));
  const known = new Set<string>([...SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings)), ...SDK_NAMES]);
  for (const name of Object.keys(variables).filter((name) => !known.has(name) && !FOREIGN_NAMES.test(name))) {
    const intended = [...known].find((other) => other.length > 4 && looksLikeName(name.toUpperCase(), other));
    const remedy = `If you mean ${intended}, rename it. Otherwise remove it.`;
    if (intended) findings.push(warn(`${name} is set, but nothing reads it.`, remedy));
  }
  if (worker && !worker.baseUrl.startsWith('https:') && !isLocal(worker.baseUrl)) {
    const message = 'BASE_URL is not https: sessions and tokens are sent unencrypted.';
    findings.push(warn(message, 'See docs/self-hosting/deployment.md, “A load balancer”.'));
  }
  const settings = api && worker ? { ...worker, ...api } : null;
  return { settings, findings: findings.length > 0 ? findings : [ok('Every variable that is set is valid.')] };
}

function isLocal(address: string): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(new URL(address).host);
}
