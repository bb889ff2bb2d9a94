/** Variables that the API and the worker share: private destinations, buckets and databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApiConfig } from '../../../api/config.ts';
import { readDirectUrl } from '../../../runtime/config/database.ts';
import { readEnvironment } from '../../../runtime/config/environment.ts';
import { readWorkerConfig } from '../../../worker/config.ts';
import { DATABASE, listProblems } from './support/problems.ts';

test('private destinations are allowed by true or false, or by hosts and ranges', () => {
  const read = (value: string) =>
    readApiConfig({ DATABASE_URL: 'postgres://x/y', ALLOW_PRIVATE_DESTINATIONS: value }).allowPrivate;
  for (const value of ['true', 'ON', 'yes', '1']) assert.equal(read(value), true, value);
  for (const value of ['false', 'off', 'No', '0']) assert.equal(read(value), false, value);
  assert.deepEqual(read('CMS.corp.example, 10.20.0.0/16,::1'), ['cms.corp.example', '10.20.0.0/16', '::1']);
  const entries = [
    ...['localhost', 'localhost:3000', '127.0.0.1:65535', '[::1]:80', '10.0.0.0/32', 'fd00::/128', '1-2.example'],
    ...['cms.corp.example:8080', 'a-b.c-d.3com'],
  ];
  assert.deepEqual(read(entries.join()), entries);
  for (const entry of entries) assert.deepEqual(read(entry), [entry]);
  const refusal = [
    'ALLOW_PRIVATE_DESTINATIONS is malformed: expected true, false, or hosts, addresses and ranges separated by commas',
  ];
  for (const value of [
    ...['ture', 'truetrue', 'a:b.example:80', 'xtrue', 'on ,', ',', 'cms.corp.example,'],
    ...['10.0.0.0/16/2', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8:80', '10.0.0.256'],
    ...['localhost:99999', 'localhost:65536', 'localhost:123456', 'localhost:', ':80', 'localhost:80x', '::1:[80]'],
    ...[
      'http://cms.corp.example',
      'intranet',
      'a_b.example',
      'x y.example',
      'cms..example',
      'localhost.',
      '.example',
      '9.a',
    ],
  ])
    assert.deepEqual(listProblems({ ...DATABASE, ALLOW_PRIVATE_DESTINATIONS: value }, readApiConfig), refusal, value);
});

test('settings of a bucket must be complete, and none of them is quoted', () => {
  assert.equal(readWorkerConfig(DATABASE).imagesS3, null);
  const keys = { IMAGES_S3_ACCESS_KEY_ID: 'the-key', IMAGES_S3_SECRET_ACCESS_KEY: 'the-secret' };
  const complete = { ...keys, IMAGES_S3_URL: 'https://s3.example/bucket/' };
  const read = (more: Record<string, string>) => readWorkerConfig({ ...DATABASE, ...complete, ...more }).imagesS3;
  const s3 = { url: 'https://s3.example/bucket', accessKeyId: 'the-key', secretAccessKey: 'the-secret' };
  assert.deepEqual(read({}), { ...s3, region: 'us-east-1' });
  assert.deepEqual(read({ IMAGES_S3_REGION: 'eu-central-1' }), { ...s3, region: 'eu-central-1' });
  const longest = { IMAGES_S3_ACCESS_KEY_ID: '!'.repeat(512), IMAGES_S3_REGION: 'x'.repeat(60) };
  assert.deepEqual(read({ ...longest, IMAGES_S3_URL: 'http://b.s3.example//' }), {
    ...{ url: 'http://b.s3.example', region: 'x'.repeat(60) },
    ...{ accessKeyId: '!'.repeat(512), secretAccessKey: 'the-secret' },
  });

  const list = (variables: Record<string, string>) => listProblems({ ...DATABASE, ...variables }, readWorkerConfig);
  assert.deepEqual(list({ IMAGES_S3_URL: complete.IMAGES_S3_URL }), [
    'IMAGES_S3_ACCESS_KEY_ID is missing: expected a value',
    'IMAGES_S3_SECRET_ACCESS_KEY is missing: expected a value',
  ]);
  assert.equal(list({ IMAGES_S3_REGION: 'eu-central-1' }).length, 3);
  assert.deepEqual(list(keys), ['IMAGES_S3_URL is missing: expected a value']);
  const wrong: Record<string, { expected: string; values: string[] }> = {
    IMAGES_S3_URL: {
      expected: 'the HTTP or HTTPS URL of a bucket, without user name, query or fragment',
      values: [
        ...['https://the-key:the-secret@s3.example/b', 'https://the-key@s3.example/b', 'https://:x@s3.example/b'],
        ...['ftp://s3.example/b', 'https://s3.example/?b', 'https://s3.example/#b', 's3.example'],
      ],
    },
    IMAGES_S3_REGION: {
      expected: 'a region, such as eu-central-1',
      values: ['No Region', 'eu_1', '1!', '!1', 'x'.repeat(61)],
    },
    IMAGES_S3_SECRET_ACCESS_KEY: {
      expected: 'a key without spaces',
      values: ['two words', 'schlüssel', 'x'.repeat(513)],
    },
  };
  for (const [name, { expected, values }] of Object.entries(wrong)) {
    for (const value of values) {
      const problem = `${name} is malformed: expected ${expected}`;
      assert.deepEqual(list({ ...complete, [name]: value }), [problem], value);
    }
  }
});

test('a database URL begins with postgres: or postgresql:', () => {
  const read = (url: string) => listProblems({ DATABASE_URL: url }, readApiConfig);
  for (const url of ['postgres://h/x', 'postgresql://u:p@h:1/x']) assert.deepEqual(read(url), [], url);
  const refusal = ['DATABASE_URL is malformed: expected postgres://user:password@host:port/database'];
  for (const url of ['http://h/x', 'postgress://h/x', 'xpostgres://h/x', 'foo'])
    assert.deepEqual(read(url), refusal, url);
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
  // Migrations use the direct address.
  assert.equal(readDirectUrl(readEnvironment(direct)), 'postgres://server/x');
  assert.equal(readDirectUrl(readEnvironment({ DATABASE_URL: 'postgres://only/x' })), 'postgres://only/x');
});
