/** The settings of the command line, read from the environment once. No other file reads `process.env`. */
import envPaths from 'env-paths';

export interface CliConfig {
  /** SERVICE_TOKEN, trimmed; undefined if it is unset or empty. */
  serviceToken: string | undefined;
  /** SERVICE_TOKEN is set but empty, as CI systems do for a secret that does not exist. The user is told. */
  serviceTokenIsEmpty: boolean;
  /** COURANT_ENDPOINT. */
  endpoint: string | undefined;
  /** The folder of credentials.json: COURANT_CONFIG_DIR, else the configuration folder of the platform. */
  configFolder: string;
  /** True if the folder is ours alone, so that its mode may be restricted. */
  ownsConfigFolder: boolean;
  /** COURANT_ALLOW_HTTP=1: tokens may be sent unencrypted beyond this machine. */
  allowHttp: boolean;
  colours: boolean;
  /** CI is set: what is written into the folder is discarded after the run. */
  isCi: boolean;
  /** Spinners, which a dumb terminal cannot draw. */
  animations: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv): CliConfig {
  const serviceToken = env.SERVICE_TOKEN?.trim();
  const isCi = env.CI !== undefined;
  return {
    serviceToken: serviceToken || undefined,
    serviceTokenIsEmpty: serviceToken === '',
    endpoint: env.COURANT_ENDPOINT?.trim() || undefined,
    configFolder: env.COURANT_CONFIG_DIR || envPaths('courant', { suffix: '' }).config,
    ownsConfigFolder: !env.COURANT_CONFIG_DIR,
    allowHttp: env.COURANT_ALLOW_HTTP === '1',
    colours: !env.NO_COLOR && env.TERM !== 'dumb',
    isCi,
    animations: env.TERM !== 'dumb' && !isCi,
  };
}
