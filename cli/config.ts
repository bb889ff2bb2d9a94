/** What the environment says to the command line, read once. No other file looks at `process.env`. */
import envPaths from 'env-paths';

export interface CliConfig {
  /** SERVICE_TOKEN, trimmed; undefined where it is unset or empty. */
  serviceToken: string | undefined;
  /** Set, but empty: what CI systems make of a secret that does not exist. Worth saying. */
  serviceTokenIsEmpty: boolean;
  /** COURANT_ENDPOINT. */
  endpoint: string | undefined;
  /** Holds credentials.json. COURANT_CONFIG_DIR, else the platform's own place. */
  configFolder: string;
  /** True where the folder is ours alone, so that its mode may be tightened. */
  ownsConfigFolder: boolean;
  /** COURANT_ALLOW_HTTP=1: tokens may travel unencrypted beyond this machine. */
  allowHttp: boolean;
  colours: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv): CliConfig {
  const serviceToken = env.SERVICE_TOKEN?.trim();
  return {
    serviceToken: serviceToken || undefined,
    serviceTokenIsEmpty: serviceToken === '',
    endpoint: env.COURANT_ENDPOINT?.trim() || undefined,
    configFolder: env.COURANT_CONFIG_DIR || envPaths('courant', { suffix: '' }).config,
    ownsConfigFolder: !env.COURANT_CONFIG_DIR,
    allowHttp: env.COURANT_ALLOW_HTTP === '1',
    colours: !env.NO_COLOR && env.TERM !== 'dumb',
  };
}
