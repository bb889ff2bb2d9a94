/** The API's configuration from environment variables. No other file of `api/` reads them. */
import { type ContentSignal, parseContentSignal, SIGNAL_FORM } from '../article/discovery/content-signal.ts';
import { parseSmtpUrl } from '../mail/smtp/address.ts';
import { readEnvironment } from '../runtime/config/environment.ts';
import { type MetricsConfig, readMetricsConfig } from '../runtime/config/metrics.ts';
import { type OverloadLimits, readOverloadLimits } from '../runtime/config/overload.ts';
import { isIpOrRange, readSharedConfig, type SharedConfig } from '../runtime/config/shared.ts';
import { isWebAddress } from '../runtime/config/web-address.ts';
import { parsePrivateKeys } from './auth/keys/key-ring.ts';

export interface ApiConfig extends SharedConfig {
  host: string;
  port: number;
  /** The address of the metrics for Prometheus; null if it is not configured. */
  metrics: MetricsConfig | null;
  /** Base URL of GraphQL and the notification routes for clients. Default: the URL of the site. */
  apiUrl: string;
  publishRatePerMinute: number;
  /** Maximum open event streams per user and per network at this instance. */
  streams: { perUser: number; perAddress: number };
  /** Limits above which requests are rejected at once. */
  overload: OverloadLimits;
  /** GraphQL requests per person. */
  graphqlRatePerMinute: number;
  /** Who may introspect the GraphQL schema. */
  graphqlIntrospection: 'everybody' | 'signed-in';
  /** Memory of the response cache of this instance. */
  readerCacheBytes: number;
  /**
   * Private ES256 signing keys for session and stream tokens, as JWK or JWKS; without them, keys
   * are stored in COURANT_HOME.
   */
  jwtKey: string | undefined;
  /** SMTP server; without it mails are stored in COURANT_HOME and shown on a development page. */
  smtpUrl: string | undefined;
  /** What agents may do with the texts of this site. Authors may restrict it further. */
  contentSignal: ContentSignal;
  /**
   * URL of the namespace in the Temporal UI (`http://localhost:8233/namespaces/default`). Pages of
   * authors link to it. Not for a shared server.
   */
  temporalUiUrl: string | undefined;
  /** Addresses of proxies whose X-Forwarded-For is trusted; false if clients connect directly. */
  trustProxy: string | false;
}

const MIB = 1024 * 1024;
const EXPECTED_KEY = 'a private ES256 key as JWK (kty EC, crv P-256, with d), or a JWKS of such keys';

/** Throws `ConfigError` with every problem. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env, env = readEnvironment(variables)): ApiConfig {
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
    overload: readOverloadLimits(env),
    graphqlRatePerMinute: env.integer('GRAPHQL_RATE_PER_MINUTE', { fallback: 600, min: 1, max: 1_000_000 }),
    graphqlIntrospection: env.oneOf('GRAPHQL_INTROSPECTION', ['everybody', 'signed-in'], 'signed-in'),
    readerCacheBytes: MIB * env.integer('READER_CACHE_MB', { fallback: 64, min: 1, max: 65_536 }),
    jwtKey: env.matching('COURANT_JWT_KEY', EXPECTED_KEY, (text) => parsePrivateKeys(text) !== null),
    smtpUrl: env.matching('SMTP_URL', 'smtp[s]://[user:password@]host[:port]', (text) => parseSmtpUrl(text) !== null),
    contentSignal: parseContentSignal(env.matching('CONTENT_SIGNAL', SIGNAL_FORM, isContentSignal) ?? '') ?? {},
    temporalUiUrl: env.matching('TEMPORAL_UI_URL', 'an absolute http(s) address', isWebAddress)?.replace(/\/+$/, ''),
    trustProxy: env.matching('TRUST_PROXY', 'addresses or ranges, separated by commas', isAddressList) ?? false,
  };
  env.assertValid();
  return config;
}

function isContentSignal(text: string): boolean {
  return parseContentSignal(text) !== null;
}

/** Rejects ranges of all addresses: limits count by the client address that a proxy sends. */
function isAddressList(text: string): boolean {
  return text.split(',').every((part) => isIpOrRange(part.trim()) && !part.trim().endsWith('/0'));
}
