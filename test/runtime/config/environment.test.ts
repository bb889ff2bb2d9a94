import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApiConfig } from '../../../api/config.ts';
import { ConfigError } from '../../../runtime/config/environment.ts';
import { readWorkerConfig } from '../../../worker/config.ts';
import { DATABASE, listProblems } from './support/problems.ts';

test('all missing and malformed variables are named at once, and no value is quoted', () => {
  const variables = {
    PORT: '99999',
    BASE_URL: 'ftp://secret.example',
    PUBLISH_RATE_PER_MINUTE: 'many',
    STORAGE_PER_AUTHOR: '0.5',
    ALLOW_PRIVATE_DESTINATIONS: 'perhaps',
    LOG_LEVEL: 'loud',
  };
  assert.throws(() => readApiConfig(variables), {
    name: 'ConfigError',
    message: `The configuration has 7 problems:
  - PORT is malformed: expected a whole number from 1 to 65535
  - DATABASE_URL is missing: expected a value
  - BASE_URL is malformed: expected an absolute HTTP or HTTPS URL
  - ALLOW_PRIVATE_DESTINATIONS is malformed: expected true, false, or hosts, addresses and ranges separated by commas
  - STORAGE_PER_AUTHOR is malformed: expected a whole number from 1 to 1048576
  - LOG_LEVEL is malformed: expected one of fatal, error, warn, info, debug, trace, silent
  - PUBLISH_RATE_PER_MINUTE is malformed: expected a whole number from 1 to 1000000`,
  });
  assert.throws(() => readApiConfig({}), {
    message: 'The configuration has a problem:\n  - DATABASE_URL is missing: expected a value',
  });
});

test('unset variables have defaults, and API_URL follows BASE_URL', () => {
  const shared = {
    ...{ databaseUrl: 'postgres://localhost/courant', databaseDirectUrl: 'postgres://localhost/courant' },
    ...{ databasePooled: false, databasePrepares: true, home: '.courant', baseUrl: 'http://localhost:3000' },
    ...{ credentialsKey: undefined, allowPrivate: false, taskQueue: 'courant', imagesS3: null },
    ...{ maxStorageBytesPerAuthor: 524_288_000, maxImageBytesPerAuthor: 1_073_741_824 },
    ...{ tracesEndpoint: undefined, logLevel: 'info', metrics: null, smtpUrl: undefined },
  };
  const defaults = {
    ...{ ...shared, host: '127.0.0.1', port: 3000, apiUrl: 'http://localhost:3000' },
    ...{ publishRatePerMinute: 10, graphqlRatePerMinute: 600, graphqlIntrospection: 'signed-in' },
    ...{ streams: { perUser: 10, perAddress: 200 }, readerCacheBytes: 67_108_864, jwtKey: undefined },
    overload: { eventLoopDelayMs: 1_000, databaseWaitMs: 2_000, eventLoopPercent: 0, heapBytes: 0, rssBytes: 0 },
    ...{ contentSignal: {}, temporalUiUrl: undefined, trustProxy: false },
  };
  assert.deepEqual(readApiConfig(DATABASE), defaults);
  assert.deepEqual(readWorkerConfig(DATABASE), {
    ...{ ...shared, temporalMetrics: null, pacing: true, lateArrivalMs: 90_000 },
    ...{ aliveFile: undefined, mailFrom: undefined },
  });
  assert.deepEqual(readApiConfig({ ...DATABASE, METRICS_PORT: '9' }).metrics, { host: '127.0.0.1', port: 9 });
  // An empty variable counts as unset, and spaces around a value do not count.
  assert.deepEqual(readApiConfig({ DATABASE_URL: ` ${DATABASE.DATABASE_URL} `, HOST: '', PORT: ' ' }), defaults);
  const { baseUrl, apiUrl } = readApiConfig({ ...DATABASE, BASE_URL: 'https://courant.example/blog//' });
  assert.deepEqual([baseUrl, apiUrl], ['https://courant.example/blog', 'https://courant.example/blog']);
  assert.equal(readApiConfig({ ...DATABASE, PORT: '8080' }).baseUrl, 'http://localhost:8080');
});

test('variables that are set replace the defaults', () => {
  const shared = {
    ...{ ...DATABASE, COURANT_HOME: '/srv', BASE_URL: 'https://a.example', COURANT_CREDENTIALS_KEY: 'k' },
    ...{ TEMPORAL_TASK_QUEUE: 'q', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318//', LOG_LEVEL: 'debug' },
    ...{ SMTP_URL: 'smtp://mail.example', STORAGE_PER_AUTHOR: '2', IMAGES_PER_AUTHOR: '3', METRICS_HOST: '::' },
  };
  const api = readApiConfig({
    ...{ ...shared, HOST: '0.0.0.0', API_URL: 'https://api.example/', METRICS_PORT: '9090' },
    ...{ GRAPHQL_INTROSPECTION: 'everybody', CONTENT_SIGNAL: 'search=yes, ai-train=no', READER_CACHE_MB: '5' },
    ...{ TEMPORAL_UI_URL: 'http://temporal.example/namespaces/default/', MAX_HEAP_MB: '7', MAX_RSS_MB: '9' },
  });
  const { home, baseUrl, credentialsKey, taskQueue, tracesEndpoint, logLevel, smtpUrl } = api;
  assert.deepEqual(
    [home, baseUrl, credentialsKey, taskQueue, tracesEndpoint, logLevel, smtpUrl],
    ['/srv', 'https://a.example', 'k', 'q', 'http://otel:4318', 'debug', 'smtp://mail.example'],
  );
  const { maxStorageBytesPerAuthor, maxImageBytesPerAuthor, readerCacheBytes, overload } = api;
  assert.deepEqual([maxStorageBytesPerAuthor, maxImageBytesPerAuthor], [2_097_152, 3_145_728]);
  assert.deepEqual([readerCacheBytes, overload.heapBytes, overload.rssBytes], [5_242_880, 7_340_032, 9_437_184]);
  const { host, apiUrl, metrics, graphqlIntrospection, contentSignal, temporalUiUrl } = api;
  assert.deepEqual([host, apiUrl, metrics], ['0.0.0.0', 'https://api.example', { host: '::', port: 9090 }]);
  assert.deepEqual([graphqlIntrospection, contentSignal], ['everybody', { search: true, 'ai-train': false }]);
  assert.equal(temporalUiUrl, 'http://temporal.example/namespaces/default');
  const worker = readWorkerConfig({
    ...{ ...shared, WORKER_METRICS_PORT: '1', TEMPORAL_METRICS_PORT: '65535', LATE_REQUEST_SECONDS: '5' },
    ...{ ALIVE_FILE: '/run/alive', MAIL_FROM: 'Courant <post@a.example>' },
  });
  assert.deepEqual(worker.metrics, { host: '::', port: 1 });
  assert.deepEqual(worker.temporalMetrics, { host: '::', port: 65_535 });
  const { lateArrivalMs, aliveFile, mailFrom } = worker;
  assert.deepEqual(
    [lateArrivalMs, aliveFile, mailFrom, worker.smtpUrl],
    [5_000, '/run/alive', 'Courant <post@a.example>', 'smtp://mail.example'],
  );
});

test('numbers have an inclusive range, and are whole', () => {
  const ranges: [name: string, min: number, max: number, read?: typeof readWorkerConfig][] = [
    ['PORT', 1, 65_535],
    ['METRICS_PORT', 1, 65_535],
    ['STORAGE_PER_AUTHOR', 1, 1_048_576],
    ['IMAGES_PER_AUTHOR', 0, 1_048_576],
    ['PUBLISH_RATE_PER_MINUTE', 1, 1_000_000],
    ['STREAMS_PER_USER', 1, 1_000_000],
    ['STREAMS_PER_ADDRESS', 1, 1_000_000],
    ['GRAPHQL_RATE_PER_MINUTE', 1, 1_000_000],
    ['READER_CACHE_MB', 1, 65_536],
    ['MAX_EVENT_LOOP_DELAY_MS', 0, 60_000],
    ['MAX_DATABASE_WAIT_MS', 0, 60_000],
    ['MAX_EVENT_LOOP_PERCENT', 0, 100],
    ['MAX_HEAP_MB', 0, 1_048_576],
    ['MAX_RSS_MB', 0, 1_048_576],
    ['WORKER_METRICS_PORT', 1, 65_535, readWorkerConfig],
    ['TEMPORAL_METRICS_PORT', 1, 65_535, readWorkerConfig],
    ['LATE_REQUEST_SECONDS', 1, 3_600, readWorkerConfig],
  ];
  for (const [name, min, max, read = readApiConfig] of ranges) {
    const list = (value: number) => listProblems({ ...DATABASE, [name]: String(value) }, read);
    const refusal = [`${name} is malformed: expected a whole number from ${min} to ${max}`];
    assert.deepEqual([min - 1, min, max, max + 1, min + 0.5].map(list), [refusal, [], [], refusal, refusal]);
  }
});

test('a malformed variable is named with the form that it must have', () => {
  const list = (variables: Record<string, string>, read: (all: Record<string, string>) => unknown) =>
    listProblems({ ...DATABASE, ...variables }, read);
  const shared = { LOG_LEVEL: 'INFO', DATABASE_DIRECT_URL: 'mysql://localhost/x', SMTP_URL: 'http://mail.example' };
  const expected = {
    log: 'LOG_LEVEL is malformed: expected one of fatal, error, warn, info, debug, trace, silent',
    direct: 'DATABASE_DIRECT_URL is malformed: expected postgres://user:password@host:port/database',
    smtp: 'SMTP_URL is malformed: expected smtp[s]://[user:password@]host[:port]',
    traces: 'OTEL_EXPORTER_OTLP_ENDPOINT is malformed: expected an absolute HTTP or HTTPS URL',
  };
  const api = {
    ...{ ...shared, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', API_URL: 'https://api.example/#top' },
    ...{ GRAPHQL_INTROSPECTION: 'nobody', COURANT_JWT_KEY: '{}', CONTENT_SIGNAL: 'search=maybe' },
    ...{ TEMPORAL_UI_URL: 'javascript:void 0', TRUST_PROXY: 'loopback', DATABASE_PREPARED_STATEMENTS: 'maybe' },
  };
  assert.deepEqual(list(api, readApiConfig), [
    expected.direct,
    'DATABASE_PREPARED_STATEMENTS is malformed: expected true or false',
    expected.traces,
    expected.log,
    'API_URL is malformed: expected an absolute HTTP or HTTPS URL',
    'GRAPHQL_INTROSPECTION is malformed: expected one of everybody, signed-in',
    'COURANT_JWT_KEY is malformed: expected a private ES256 key as JWK (kty EC, crv P-256, with d), or a JWKS of such keys',
    expected.smtp,
    'CONTENT_SIGNAL is malformed: expected search, ai-input and ai-train with yes or no, like "search=yes, ai-input=yes, ai-train=no"',
    'TEMPORAL_UI_URL is malformed: expected an absolute http(s) address',
    'TRUST_PROXY is malformed: expected addresses or ranges, separated by commas',
  ]);
  assert.deepEqual(list({ ...shared, MAIL_FROM: 'nobody', DELIVERY_PACING: '2' }, readWorkerConfig), [
    expected.direct,
    expected.log,
    'DELIVERY_PACING is malformed: expected true or false',
    expected.smtp,
    'MAIL_FROM is malformed: expected Name <address> or an address',
  ]);
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    assert.equal(readApiConfig({ ...DATABASE, LOG_LEVEL: level }).logLevel, level);
});

test('a switch is true, on, yes or 1, or their opposite, in any letter case', () => {
  const read = (value: string) => readWorkerConfig({ ...DATABASE, DELIVERY_PACING: value }).pacing;
  assert.deepEqual(['true', 'ON', 'yes', '1'].map(read), [true, true, true, true]);
  assert.deepEqual(['false', 'Off', 'no', '0'].map(read), [false, false, false, false]);
});

test('a malformed private key, a malformed proxy and an address with a query are named, and never quoted', () => {
  const variables = {
    DATABASE_URL: 'foo',
    COURANT_JWT_KEY: 'supersecretvalue',
    TRUST_PROXY: 'true',
    BASE_URL: 'https://x.example/?a=1',
    PORT: 'x',
  };
  assert.throws(
    () => readApiConfig(variables),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(variables).sort());
      assert.doesNotMatch(error.message, /supersecret/);
      return true;
    },
  );
});

test('a proxy must be a valid address or range, and cannot be everybody', () => {
  const read = (value: string) => readApiConfig({ DATABASE_URL: 'postgres://x/y', TRUST_PROXY: value }).trustProxy;
  for (const value of ['10.0.0.1, 10.2.0.0/16,fd00::/8', '10.0.0.0/32', 'fd00::/128', '10.0.0.0/1'])
    assert.equal(read(value), value);
  for (const value of [
    'true',
    '1',
    'loopback',
    '10.0.0.0/33',
    'fd00::/129',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1,',
    '10.0.0.0/8/8',
    '10.0.0.0/0008',
    '10.0.0.0/8x',
    '10.0.0.0/',
  ])
    assert.throws(() => read(value), ConfigError, value);
});
