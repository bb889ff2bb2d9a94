/**
 * The names and descriptions of all environment variables. A variable that is missing here cannot
 * be read. `.env.example` and `docs/reference/environment.md` are generated from this list.
 */

export interface Setting {
  about: string;
  /** For `.env.example`; by default the default value. */
  example?: string;
  /** Where it is neither the fallback in the code that reads the variable nor none. */
  default?: string;
  /** Where no `EnvironmentReader` reads it. */
  readBy?: string;
}

export interface SettingGroup {
  title: string;
  about?: string;
  settings: Record<string, Setting>;
}

const SDK = 'API, worker';

export const SETTING_GROUPS = [
  {
    title: 'Addresses',
    settings: {
      BASE_URL: {
        about: 'Main address of the site for clients, without a trailing slash.',
        example: 'https://blog.example.com',
        default: '`http://localhost:PORT`',
      },
      API_URL: {
        about: 'Address of GraphQL and the notification API for clients, if it differs from BASE_URL.',
        example: 'https://api.blog.example.com',
        default: 'BASE_URL',
      },
      HOST: { about: 'Interface on which the API listens.' },
      PORT: { about: 'Port on which the API listens.' },
      TRUST_PROXY: {
        about:
          'Proxies in front of the API that may set X-Forwarded-For: addresses or ranges, separated by commas. ' +
          'Without it, the address of the connection is the address of the client.',
        example: '10.0.0.0/8',
      },
    },
  },
  {
    title: 'Database and workflows',
    settings: {
      DATABASE_URL: {
        about:
          'A PostgreSQL of your own in place of the embedded one. Required by `npm run api`, `worker` and `migrate`.',
        example: 'postgres://courant:password@127.0.0.1:5432/courant',
        default: 'embedded (`npm start`)',
      },
      DATABASE_DIRECT_URL: {
        about:
          'PostgreSQL itself, for LISTEN and migrations, if DATABASE_URL is the address of a pooler in transaction mode.',
        example: 'postgres://courant:password@127.0.0.1:5432/courant',
        default: 'DATABASE_URL',
      },
      DATABASE_PREPARED_STATEMENTS: {
        about:
          'Whether frequent statements stay prepared. PgBouncer supports that from 1.21, with max_prepared_statements.',
        default: 'on; off with DATABASE_DIRECT_URL',
      },
      TEMPORAL_ADDRESS: {
        about:
          'A Temporal server of your own in place of the embedded one, as host:port. The Temporal SDK reads this ' +
          'variable and the following ones, and also TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE and TEMPORAL_TLS_…_DATA.',
        example: '127.0.0.1:7233',
        default: 'embedded (`npm start`), else localhost:7233',
        readBy: 'API, worker, `npm start`',
      },
      TEMPORAL_NAMESPACE: { about: 'Namespace of the workflows.', default: 'default', readBy: SDK },
      TEMPORAL_TLS: {
        about: 'Whether to connect with TLS.',
        example: 'true',
        default: 'on with TEMPORAL_API_KEY',
        readBy: SDK,
      },
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: {
        about: 'Authority of the server’s certificate, if it is not one of the system.',
        example: '/etc/courant/temporal-ca.pem',
        readBy: SDK,
      },
      TEMPORAL_TLS_SERVER_NAME: {
        about: 'Host name in the server’s certificate, if it differs from TEMPORAL_ADDRESS.',
        example: 'temporal.example.com',
        readBy: SDK,
      },
      TEMPORAL_TLS_CLIENT_CERT_PATH: {
        about: 'Client certificate, if the server requires mTLS.',
        example: '/etc/courant/temporal.pem',
        readBy: SDK,
      },
      TEMPORAL_TLS_CLIENT_KEY_PATH: {
        about: 'Key of the client certificate.',
        example: '/etc/courant/temporal.key',
        readBy: SDK,
      },
      TEMPORAL_API_KEY: { about: 'Key of Temporal Cloud.', readBy: SDK },
      TEMPORAL_TASK_QUEUE: {
        about: 'Task queue of the workflows. Two sites need two namespaces: the ids of Schedules are the same.',
      },
    },
  },
  {
    title: 'Local state of `npm start`',
    settings: {
      COURANT_HOME: {
        about: 'Folder of all local state: the embedded database, the state of Temporal, keys, logs, demo.json.',
      },
      POSTGRES_PORT: { about: 'Port of the embedded PostgreSQL.' },
      TEMPORAL_PORT: { about: 'Port of the embedded Temporal server.' },
      TEMPORAL_UI_PORT: { about: 'Port of the embedded Temporal UI.' },
      SANDBOX_PORT: { about: 'Port of the sandbox destinations.' },
      SANDBOX_RATE_LIMITS: {
        about: '`off` disables the rate limits of the sandbox. For measurements.',
        default: 'on',
        readBy: 'sandbox',
      },
    },
  },
  {
    title: 'Secrets',
    settings: {
      COURANT_CREDENTIALS_KEY: {
        about:
          'Encrypts the credentials of destinations in the database: 32 bytes as base64 or hex, the same for API and ' +
          'worker. Create one with `openssl rand -base64 32`. Of several keys, separated by commas, the first ' +
          'encrypts; the others only decrypt.',
        default: 'created at first use in `COURANT_HOME/keys`',
      },
      COURANT_JWT_KEY: {
        about:
          'Signs sessions and stream tokens: a private ES256 key as JWK, or a JWKS. The first key signs; all verify.',
        default: 'created at first use in `COURANT_HOME/keys`',
      },
    },
  },
  {
    title: 'Limits and behavior',
    settings: {
      PUBLISH_RATE_PER_MINUTE: { about: 'Publish requests per minute and developer token.' },
      STREAMS_PER_USER: {
        about: 'Open event streams per user and API instance. One more closes the oldest.',
      },
      STREAMS_PER_ADDRESS: { about: 'Open event streams per network (IPv6: /64) and API instance.' },
      GRAPHQL_RATE_PER_MINUTE: {
        about: 'GraphQL requests per minute, person and API instance; a fifth of it per network without a session.',
      },
      GRAPHQL_INTROSPECTION: { about: 'Who may read the schema: `signed-in` or `everybody`.' },
      TEMPORAL_UI_URL: {
        about:
          'The namespace in the Temporal UI, to which pages of the desk link. Leave it out if authors must not use ' +
          'that UI.',
        example: 'http://localhost:8233/namespaces/default',
      },
      STORAGE_PER_AUTHOR: {
        about:
          'Documents that an author may store, in MiB, as they were sent. The database needs about five times as much.',
      },
      IMAGES_PER_AUTHOR: { about: 'Pictures that imports may copy per author, in MiB; 0 copies none.' },
      IMAGES_S3_URL: {
        about:
          'Bucket of these pictures on S3 or a compatible store, with an optional folder. Without it they are files in ' +
          '`COURANT_HOME/images`, which the API and the worker must share.',
        example: 'https://s3.eu-central-1.amazonaws.com/bucket',
      },
      IMAGES_S3_REGION: { about: 'Region of the bucket.', example: 'eu-central-1', default: 'us-east-1' },
      IMAGES_S3_ACCESS_KEY_ID: { about: 'Key of the bucket. Required with IMAGES_S3_URL.' },
      IMAGES_S3_SECRET_ACCESS_KEY: {
        about: 'Secret key of the bucket. Required with IMAGES_S3_URL.',
      },
      READER_CACHE_MB: {
        about: 'Memory per API instance for cached responses to readers, in MiB, with their compressed forms.',
      },
      DELIVERY_PACING: { about: '`off` sends deliveries without waiting for a rate slot. For measurements.' },
      LATE_REQUEST_SECONDS: {
        about:
          'How long an unanswered request to a destination may still arrive there, for example through a proxy. ' +
          'Anything that it could undo or duplicate waits.',
      },
      SMTP_URL: {
        about:
          'Mail server: `smtp[s]://[user:password@]host[:port]`. Without it mails are stored in `COURANT_HOME/mail`.',
        example: 'smtps://user:password@smtp.example.org',
      },
      MAIL_FROM: {
        about: 'Sender of mails.',
        example: 'Courant <digest@example.org>',
        default: '`Courant <digest@…>` with the host of BASE_URL',
      },
      ALLOW_PRIVATE_DESTINATIONS: {
        about:
          'Whether destinations may have private and loopback addresses: true, false, or a list of hosts, addresses and ' +
          'ranges, separated by commas (cms.corp.example,10.20.0.0/16). `npm start` sets it for its sandbox.',
        default: 'false',
      },
      CONTENT_SIGNAL: {
        about:
          'What agents may do with the texts of this site: search, ai-input and ai-train, each yes or no. Authors can ' +
          'restrict it further.',
        example: 'search=yes, ai-input=yes, ai-train=no',
      },
      ALIVE_FILE: {
        about: 'A file that a worker writes every two seconds, so that a supervisor can detect a hanging process.',
        example: '/run/courant/worker.alive',
      },
      LOG_LEVEL: { about: 'fatal, error, warn, info, debug, trace or silent.' },
    },
  },
  {
    title: 'Metrics, traces and overload',
    settings: {
      METRICS_PORT: {
        about: 'Port of the API’s metrics for Prometheus, at /metrics. Do not publish it.',
        example: '9464',
      },
      WORKER_METRICS_PORT: { about: 'Port of the worker’s metrics.', example: '9465' },
      TEMPORAL_METRICS_PORT: {
        about: 'Port of the metrics of the Temporal SDK in the worker.',
        example: '9466',
      },
      METRICS_HOST: { about: 'Interface on which all three listen.' },
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        about:
          'An OpenTelemetry collector for the traces of API and worker, with OTLP over HTTP. ' +
          'OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER apply as OpenTelemetry defines them.',
        example: 'http://localhost:4318',
      },
      MAX_EVENT_LOOP_DELAY_MS: {
        about:
          'Mean delay of the event loop within a second. Above this limit and the following ones, an API rejects ' +
          'requests with 503 and Retry-After; 0 disables a limit.',
      },
      MAX_DATABASE_WAIT_MS: { about: 'Longest current wait for a connection to PostgreSQL.' },
      MAX_EVENT_LOOP_PERCENT: { about: 'Busy part of a second, in percent.' },
      MAX_HEAP_MB: { about: 'Heap of V8, in MiB.' },
      MAX_RSS_MB: { about: 'Memory of the process, in MiB.' },
    },
  },
  {
    title: 'Command line',
    about: 'Read by `courant`, not by the service.',
    settings: {
      SERVICE_TOKEN: {
        about: 'Developer token; used after --token and before the stored one.',
        default: 'the stored token',
      },
      COURANT_ENDPOINT: {
        about: 'GraphQL endpoint of the server; used after --endpoint and before the stored one.',
        example: 'http://localhost:3000/graphql',
        default: 'the stored one, else http://localhost:3000/graphql',
      },
      COURANT_CONFIG_DIR: {
        about: 'Folder of the stored credentials.',
        default: 'the configuration folder of the platform',
      },
      COURANT_ALLOW_HTTP: {
        about: '1 sends tokens over plain http beyond this machine.',
        example: '1',
      },
      CI: {
        about: 'If set: no spinners, and no id is written into courant.json.',
        example: 'true',
      },
      NO_COLOR: { about: 'If set: no colors.', example: '1' },
    },
  },
  {
    title: 'Tests',
    settings: {
      TEST_DATABASE_URL: {
        about: 'PostgreSQL for tests, as `npm run test:services` prints it. Without it `npm test` starts its own.',
      },
      TEST_TEMPORAL_ADDRESS: { about: 'Temporal server for tests, as above.' },
      COURANT_SHARED: {
        about: 'Folder of shared test data. Tests that need it are skipped without it.',
        default: '../shared',
      },
    },
  },
] as const satisfies readonly SettingGroup[];

type KeysOfUnion<T> = T extends unknown ? keyof T : never;
export type SettingName = KeysOfUnion<(typeof SETTING_GROUPS)[number]['settings']>;
