import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApiConfig } from '../../../api/config.ts';
import { ConfigError } from '../../../runtime/config/environment.ts';
import { readWorkerConfig } from '../../../worker/config.ts';

test('all missing and malformed variables are named at once, and no value is quoted', () => {
  const variables = {
    PORT: '99999',
    BASE_URL: 'ftp://secret.example',
    PUBLISH_RATE_PER_MINUTE: 'many',
    STORAGE_PER_AUTHOR: '0.5',
    ALLOW_PRIVATE_DESTINATIONS: 'perhaps',
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readApiConfig(variables),
    (error) => {
      assert.ok(error instanceof ConfigError);
      for (const name of ['DATABASE_URL', ...Object.keys(variables)])
        assert.match(error.message, new RegExp(`\\b${name}\\b`));
      assert.doesNotMatch(error.message, /secret|many|0\.5|perhaps|loud/);
      return true;
    },
  );
});

test('unset variables have defaults, and API_URL follows BASE_URL', () => {
  const config = readApiConfig({ DATABASE_URL: 'postgres://x', BASE_URL: 'https://courant.example/' });
  assert.equal(config.baseUrl, 'https://courant.example');
  assert.equal(config.apiUrl, 'https://courant.example');
  assert.equal(config.publishRatePerMinute, 10);
  assert.equal(config.allowPrivate, false);
});

test('DELIVERY_PACING=off turns rate slots off', () => {
  assert.equal(readWorkerConfig({ DATABASE_URL: 'postgres://localhost/x' }).pacing, true);
  assert.equal(readWorkerConfig({ DATABASE_URL: 'postgres://localhost/x', DELIVERY_PACING: 'off' }).pacing, false);
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
  assert.equal(read('10.0.0.1, 10.2.0.0/16,fd00::/8'), '10.0.0.1, 10.2.0.0/16,fd00::/8');
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
  ])
    assert.throws(() => read(value), ConfigError, value);
});

test('private destinations are allowed by true or false, or by hosts and ranges', () => {
  const read = (value: string) =>
    readApiConfig({ DATABASE_URL: 'postgres://x/y', ALLOW_PRIVATE_DESTINATIONS: value }).allowPrivate;
  assert.equal(read('on'), true);
  assert.equal(read('no'), false);
  assert.deepEqual(read('CMS.corp.example, 10.20.0.0/16,::1'), ['cms.corp.example', '10.20.0.0/16', '::1']);
  for (const value of [
    'ture',
    '10.0.0.0/16/2',
    '10.0.0.0/33',
    'localhost:99999',
    '10.0.0.0/8:80',
    'http://cms.corp.example',
    ',',
  ])
    assert.throws(() => read(value), value);
});

test('settings of a bucket must be complete, and none of them is quoted', () => {
  const database = { DATABASE_URL: 'postgres://localhost/x' };
  assert.equal(readWorkerConfig(database).imagesS3, null);
  const keys = { IMAGES_S3_ACCESS_KEY_ID: 'the-key', IMAGES_S3_SECRET_ACCESS_KEY: 'the-secret' };
  const { imagesS3 } = readWorkerConfig({ ...database, ...keys, IMAGES_S3_URL: 'https://s3.example/bucket/' });
  assert.deepEqual(imagesS3, {
    url: 'https://s3.example/bucket',
    region: 'us-east-1',
    accessKeyId: 'the-key',
    secretAccessKey: 'the-secret',
  });
  const wrong: [Record<string, string>, RegExp][] = [
    [
      { IMAGES_S3_URL: 'https://s3.example/bucket' },
      /IMAGES_S3_ACCESS_KEY_ID is missing.*IMAGES_S3_SECRET_ACCESS_KEY is missing/s,
    ],
    [keys, /IMAGES_S3_URL is missing/],
    [{ ...keys, IMAGES_S3_URL: 'https://the-key:the-secret@s3.example/bucket' }, /IMAGES_S3_URL is malformed/],
    [
      { ...keys, IMAGES_S3_URL: 'https://s3.example/b', IMAGES_S3_REGION: 'No Region' },
      /IMAGES_S3_REGION is malformed/,
    ],
  ];
  for (const [variables, message] of wrong) {
    assert.throws(
      () => readWorkerConfig({ ...database, ...variables }),
      (error) =>
        error instanceof ConfigError && message.test(error.message) && !/the-key|the-secret/.test(error.message),
    );
  }
});

test('with DATABASE_DIRECT_URL, DATABASE_URL is a pooler’s, and statements are prepared only if enabled', () => {
  const direct = { DATABASE_URL: 'postgres://pooler/x', DATABASE_DIRECT_URL: 'postgres://server/x' };
  const read = (variables: Record<string, string>) => {
    const { databaseDirectUrl, databasePooled, databasePrepares } = readWorkerConfig(variables);
    return [databaseDirectUrl, databasePooled, databasePrepares];
  };
  assert.deepEqual(read({ DATABASE_URL: 'postgres://server/x' }), ['postgres://server/x', false, true]);
  assert.deepEqual(read(direct), ['postgres://server/x', true, false]);
  assert.deepEqual(read({ ...direct, DATABASE_PREPARED_STATEMENTS: 'on' }), ['postgres://server/x', true, true]);
  assert.throws(() => read({ ...direct, DATABASE_DIRECT_URL: 'server' }), /DATABASE_DIRECT_URL is malformed/);
});
