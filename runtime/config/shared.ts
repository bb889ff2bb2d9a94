/** Reads the configuration that the API and the worker share. */
import { isIP } from 'node:net';
import { type DatabaseConfig, readDatabaseConfig } from './database.ts';
import type { EnvironmentReader } from './environment.ts';
import { isWebAddress } from './web-address.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const MIB = 1024 * 1024;
const TRACES_NAME = 'OTEL_EXPORTER_OTLP_ENDPOINT';

export interface SharedConfig extends DatabaseConfig {
  /** The folder of all local state. */
  home: string;
  /** {base_url} of the specification, without a trailing slash. */
  baseUrl: string;
  credentialsKey: string | undefined;
  /**
   * The private addresses that destinations may have (sandbox, intranet): none, all, or these
   * hosts, addresses (also with a port) and ranges.
   */
  allowPrivate: boolean | readonly string[];
  /** Temporal task queue of the workflows. */
  taskQueue: string;
  maxStorageBytesPerAuthor: number;
  maxImageBytesPerAuthor: number;
  /** The bucket of copied pictures; null to store them as files in `home`. */
  imagesS3: S3Config | null;
  /**
   * The address of an OpenTelemetry collector, without the path of a signal; undefined to disable
   * tracing.
   */
  tracesEndpoint: string | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
}

export function readSharedConfig(env: EnvironmentReader): SharedConfig {
  const port = env.integer('PORT', { fallback: 3000, min: 1, max: 65_535 });
  return {
    ...readDatabaseConfig(env),
    home: env.text('COURANT_HOME', '.courant'),
    baseUrl: env.address('BASE_URL', `http://localhost:${port}`),
    credentialsKey: env.optional('COURANT_CREDENTIALS_KEY'),
    allowPrivate: readAllowedPrivate(env),
    taskQueue: env.text('TEMPORAL_TASK_QUEUE', 'courant'),
    maxStorageBytesPerAuthor: MIB * env.integer('STORAGE_PER_AUTHOR', { fallback: 500, min: 1, max: 1_048_576 }),
    maxImageBytesPerAuthor: MIB * env.integer('IMAGES_PER_AUTHOR', { fallback: 1_024, min: 0, max: 1_048_576 }),
    imagesS3: readS3Config(env),
    tracesEndpoint: env.matching(TRACES_NAME, 'an absolute HTTP or HTTPS URL', isWebAddress)?.replace(/\/+$/, ''),
    logLevel: env.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}

/** Accepts `true`, `false`, or a comma-separated list of host names, addresses and CIDR ranges. */
function readAllowedPrivate(env: EnvironmentReader): boolean | readonly string[] {
  const list = env.matching(
    ALLOW_PRIVATE,
    'true, false, or hosts, addresses and ranges separated by commas',
    isAllowedPrivate,
  );
  if (list === undefined) return false;
  if (isBooleanWord(list)) return env.flag(ALLOW_PRIVATE, false);
  return list.split(',').map((entry) => entry.trim().toLowerCase());
}

const ALLOW_PRIVATE = 'ALLOW_PRIVATE_DESTINATIONS';

function isBooleanWord(value: string): boolean {
  return /^(?:true|false|on|off|yes|no|1|0)$/i.test(value);
}

function isAllowedPrivate(value: string): boolean {
  if (isBooleanWord(value)) return true;
  return value.split(',').every((entry) => isHostOrRange(entry.trim()));
}

function isHostOrRange(entry: string): boolean {
  const withPort = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(entry);
  if (withPort) {
    const host = withPort[1] ?? withPort[2] ?? '';
    return Number(withPort[3]) <= 65_535 && !host.includes('/') && isHostOrRange(host);
  }
  if (isIpOrRange(entry)) return true;
  // A single word other than `localhost` is probably a mistyped "true".
  return entry === 'localhost' || /^[a-z0-9-]*[a-z-][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i.test(entry);
}

/** Whether it is an IP address or a range such as `10.0.0.0/8`, with a valid prefix length. */
export function isIpOrRange(entry: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128));
}

export interface S3Config {
  /**
   * The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/bucket`, with an
   * optional folder.
   */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const URL_NAME = 'IMAGES_S3_URL';
const KEYS = ['IMAGES_S3_ACCESS_KEY_ID', 'IMAGES_S3_SECRET_ACCESS_KEY'] as const;

/** Returns null if none is set; pictures are then stored as files. */
function readS3Config(env: EnvironmentReader): S3Config | null {
  const names = [URL_NAME, 'IMAGES_S3_REGION', ...KEYS] as const;
  if (names.every((name) => env.optional(name) === undefined)) return null;
  const [accessKeyId, secretAccessKey] = KEYS.map((name) => env.matching(name, EXPECTED_KEY, isKey) ?? env.text(name));
  const url = env.matching(URL_NAME, EXPECTED_URL, isBucketUrl) ?? env.text(URL_NAME);
  const region = env.matching('IMAGES_S3_REGION', 'a region, such as eu-central-1', isRegion) ?? 'us-east-1';
  return {
    url: url.replace(/\/+$/, ''),
    region,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}

const EXPECTED_KEY = 'a key without spaces';
const EXPECTED_URL = 'the HTTP or HTTPS URL of a bucket, without user name, query or fragment';

function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

function isRegion(text: string): boolean {
  return /^[a-z\d-]{1,60}$/.test(text);
}

/** The bucket may be in the path or in the first label of the host. */
function isBucketUrl(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}
