/** The API's configuration, from environment variables. No other file of this room reads them. */
import { type ContentSignal, parseContentSignal, SIGNAL_FORM } from '../article/discovery/content-signal.ts';
import { readEnvironment } from '../config/environment.ts';
import { type MetricsConfig, readMetricsConfig } from '../config/metrics.ts';
import { isIpOrRange, readSharedConfig, type SharedConfig } from '../config/shared.ts';
import { isWebAddress } from '../config/web-address.ts';
import { parseSmtpUrl } from '../mail/smtp/address.ts';
import { parsePrivateKeys } from './auth/private-keys.ts';
import type { OverloadLimits } from './plugins/overload.ts';

export interface ApiConfig extends SharedConfig {
  host: string;
  port: number;
  /** Where Prometheus reads the metrics; null where it does not. */
  metrics: MetricsConfig | null;
  /** Where clients reach the notification routes. */
  apiUrl: string;
  publishRatePerMinute: number;
  /** Event streams that one user, and one network, may have open at this instance. */
  streams: { perUser: number; perAddress: number };
  /** Beyond these, requests are refused at once. */
  overload: OverloadLimits;
  /** GraphQL requests of one person. */
  graphqlRatePerMinute: number;
  /** Whom GraphQL's schema is shown to. */
  graphqlIntrospection: 'everybody' | 'signed-in';
  /** Memory for answers to readers that are kept ready, at this instance. */
  readerCacheBytes: number;
  /** Private ES256 signing keys for session and stream tokens, as JWK or JWKS; without them, they are kept in COURANT_HOME. */
  jwtKey: string | undefined;
  /** Where mails go; without it they are kept in COURANT_HOME, and a development page shows them. */
  smtpUrl: string | undefined;
  /** What agents may do with the texts of this site; their authors may say no to more. */
  contentSignal: ContentSignal;
  /** The namespace in the Temporal UI (`http://localhost:8233/namespaces/default`): authors are shown links into it. Not for a shared server. */
  temporalUiUrl: string | undefined;
  /** Addresses of proxies whose X-Forwarded-For is trusted; false where clients connect directly. */
  trustProxy: string | false;
}

const MIB = 1024 * 1024;
const EXPECTED_KEY = 'a private ES256 key as JWK (kty EC, crv P-256, with d), or a JWKS of some';

/** Throws `ConfigError` with every problem. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env): ApiConfig {
  const env = readEnvironment(variables);
  const shared = readSharedConfig(env);
  const config: ApiConfig = {
    ...shared,
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('PORT', { fallback: 3000, min: 1, max: 65_535 }),
    metrics: readMetricsConfig(env, 'METRICS_PORT'),
    apiUrl: env.address('API_URL', shared.baseUrl || 'http://localhost'),
    publishRatePerMinute: env.integer('PUBLISH_RATE_PER_MINUTE', { fallback: 10, min: 1, max: 1_000_000 }),
    streams: {
      perUser: env.integer('STREAMS_PER_USER', { fallback: 10, min: 1, max: 1_000_000 }),
      perAddress: env.integer('STREAMS_PER_ADDRESS', { fallback: 200, min: 1, max: 1_000_000 }),
    },
    overload: {
      eventLoopDelayMs: env.integer('MAX_EVENT_LOOP_DELAY_MS', { fallback: 1_000, min: 0, max: 60_000 }),
      databaseWaitMs: env.integer('MAX_DATABASE_WAIT_MS', { fallback: 2_000, min: 0, max: 60_000 }),
      eventLoopPercent: env.integer('MAX_EVENT_LOOP_PERCENT', { fallback: 0, min: 0, max: 100 }),
      heapBytes: MIB * env.integer('MAX_HEAP_MB', { fallback: 0, min: 0, max: 1_048_576 }),
      rssBytes: MIB * env.integer('MAX_RSS_MB', { fallback: 0, min: 0, max: 1_048_576 }),
    },
    graphqlRatePerMinute: env.integer('GRAPHQL_RATE_PER_MINUTE', { fallback: 600, min: 1, max: 1_000_000 }),
    graphqlIntrospection: env.oneOf('GRAPHQL_INTROSPECTION', ['everybody', 'signed-in'], 'signed-in'),
    readerCacheBytes: MIB * env.integer('READER_CACHE_MB', { fallback: 64, min: 1, max: 65_536 }),
    jwtKey: env.checked('COURANT_JWT_KEY', EXPECTED_KEY, (text) => parsePrivateKeys(text) !== null),
    smtpUrl: env.checked('SMTP_URL', 'smtp[s]://[user:password@]host[:port]', (text) => parseSmtpUrl(text) !== null),
    contentSignal: parseContentSignal(env.checked('CONTENT_SIGNAL', SIGNAL_FORM, isContentSignal) ?? '') ?? {},
    temporalUiUrl: env.checked('TEMPORAL_UI_URL', 'an absolute http(s) address', isWebAddress)?.replace(/\/+$/, ''),
    trustProxy: env.checked('TRUST_PROXY', 'addresses or ranges, separated by commas', isAddressList) ?? false,
  };
  env.finish();
  return config;
}

function isContentSignal(text: string): boolean {
  return parseContentSignal(text) !== null;
}

/** Not everybody: whoever is trusted says for the client which address it has, and limits count by that. */
function isAddressList(text: string): boolean {
  return text.split(',').every((part) => isIpOrRange(part.trim()) && !part.trim().endsWith('/0'));
}
