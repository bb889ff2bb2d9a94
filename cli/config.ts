/** The settings of the command line. Only this file reads the environment, once. */
import envPaths from 'env-paths';

export interface CliConfig {
  /** SERVICE_TOKEN, trimmed; undefined if it is unset or empty. */
  serviceToken: string | undefined;
  /** SERVICE_TOKEN is set but empty, as CI systems do for a missing secret. Messages mention it. */
  serviceTokenIsEmpty: boolean;
  /** COURANT_ENDPOINT. */
  endpoint: string | undefined;
  /**
   * The folder of credentials.json: COURANT_CONFIG_DIR, else the platform's configuration folder.
   */
  configFolder: string;
  /** COURANT_ALLOW_HTTP=1: tokens may be sent unencrypted beyond this machine. */
  allowHttp: boolean;
  colours: boolean;
  /** CI is set: files written into the folder are discarded after the run. */
  isCi: boolean;
  /** Whether to draw spinners, which a dumb terminal cannot. */
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
    allowHttp: env.COURANT_ALLOW_HTTP === '1',
    colours: !env.NO_COLOR && env.TERM !== 'dumb',
    isCi,
    animations: env.TERM !== 'dumb' && !isCi,
  };
}
