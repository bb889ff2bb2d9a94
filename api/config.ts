/** The API's configuration, from environment variables. The only file of this room that looks at them. */
import { readEnvironment } from '../config/environment.ts';
import { readSharedConfig, type SharedConfig } from '../config/shared.ts';

export interface ApiConfig extends SharedConfig {
  host: string;
  port: number;
  /** {api_url} of the specification: where the notification routes are reached. */
  apiUrl: string;
  publishRatePerMinute: number;
  /** Private ES256 signing key as JWK for session and stream tokens; else a file in COURANT_HOME. */
  jwtKey: string | undefined;
  /** Addresses of proxies whose X-Forwarded-For is believed; false where the API faces the clients itself. */
  trustProxy: string | false;
}

/** Throws `ConfigError` with every problem. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env): ApiConfig {
  const env = readEnvironment(variables);
  const shared = readSharedConfig(env);
  const config: ApiConfig = {
    ...shared,
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('PORT', { fallback: 3000, min: 1, max: 65_535 }),
    apiUrl: env.address('API_URL', shared.baseUrl || undefined),
    publishRatePerMinute: env.integer('PUBLISH_RATE_PER_MINUTE', { fallback: 10, min: 1, max: 1_000_000 }),
    jwtKey: env.optional('COURANT_JWT_KEY'),
    trustProxy: env.optional('TRUST_PROXY') ?? false,
  };
  env.finish();
  return config;
}
