/** The settings of `npm start`: defaults, addresses derived from ports, and problems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../scripts/start/settings.ts';
import { describeError, StartError } from '../../../scripts/start/start-error.ts';

const read = (variables: NodeJS.ProcessEnv = {}) => readSettings(variables, '/srv/courant');

test('without variables, everything runs on this machine on the default ports', () => {
  const { ports, ...settings } = read();
  assert.deepEqual(settings, {
    home: '/srv/courant/.courant',
    port: 3000,
    temporalPort: 7233,
    temporalUiPort: 8233,
    postgresPort: 5433,
    sandboxPort: 4010,
    baseUrl: 'http://localhost:3000',
    apiUrl: 'http://localhost:3000',
    localApiUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    temporalAddress: undefined,
  });
  assert.deepEqual(Object.fromEntries(ports), {
    ...{ PORT: 3000, SANDBOX_PORT: 4010, POSTGRES_PORT: 5433, TEMPORAL_PORT: 7233, TEMPORAL_UI_PORT: 8233 },
  });
});

test('each variable changes its setting, and addresses follow the port of the API', () => {
  const { home, baseUrl, apiUrl, localApiUrl, ports } = read({ COURANT_HOME: 'state', PORT: '4000' });
  assert.deepEqual(
    [home, baseUrl, apiUrl, localApiUrl, ports.get('PORT')],
    ['/srv/courant/state', 'http://localhost:4000', 'http://localhost:4000', 'http://127.0.0.1:4000', 4000],
  );
  const behindProxy = read({ COURANT_HOME: '/var/courant', BASE_URL: 'https://courant.example' });
  assert.deepEqual(
    [behindProxy.home, behindProxy.baseUrl, behindProxy.apiUrl, behindProxy.localApiUrl],
    ['/var/courant', 'https://courant.example', 'https://courant.example', 'http://127.0.0.1:3000'],
  );
  const { apiUrl: separate } = read({ BASE_URL: 'https://courant.example', API_URL: 'https://api.courant.example' });
  assert.equal(separate, 'https://api.courant.example');
  const moved = read({ SANDBOX_PORT: '1', POSTGRES_PORT: '65535', TEMPORAL_PORT: '3', TEMPORAL_UI_PORT: '4' });
  const { sandboxPort, postgresPort, temporalPort, temporalUiPort } = moved;
  assert.deepEqual([sandboxPort, postgresPort, temporalPort, temporalUiPort], [1, 65_535, 3, 4]);
});

test('the API is reached at the address that it listens on, or locally if it listens on all', () => {
  for (const [HOST, host] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['10.0.0.7', '10.0.0.7'],
    ['fd12::7', '[fd12::7]'],
  ]) {
    assert.equal(read({ HOST }).localApiUrl, `http://${host}:3000`);
  }
});

test('a server that runs elsewhere opens no port here', () => {
  const { ports: withoutPostgres, databaseUrl } = read({ DATABASE_URL: 'postgres://ada@db.example/x' });
  assert.equal(databaseUrl, 'postgres://ada@db.example/x');
  assert.deepEqual([...withoutPostgres.keys()], ['PORT', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']);
  const { ports: withoutTemporal, temporalAddress } = read({ TEMPORAL_ADDRESS: 'temporal.example:7233' });
  assert.equal(temporalAddress, 'temporal.example:7233');
  assert.deepEqual([...withoutTemporal.keys()], ['PORT', 'SANDBOX_PORT', 'POSTGRES_PORT']);
  assert.equal(read({ DATABASE_URL: 'postgresql://db.example/x' }).databaseUrl, 'postgresql://db.example/x');
  // Its port is not opened, so another part may use the number.
  assert.equal(read({ DATABASE_URL: 'postgres://db.example/x', PORT: '5433' }).port, 5433);
});

test('malformed addresses and ports are refused with the expected form', () => {
  const refusal = (variables: NodeJS.ProcessEnv) => {
    try {
      read(variables);
    } catch (error) {
      return describeError(error);
    }
    return null;
  };
  for (const DATABASE_URL of ['mysql://x/y', 'xpostgres://x/y', 'postgres://[/y', 'db.example']) {
    assert.match(
      refusal({ DATABASE_URL }) ?? '',
      /DATABASE_URL is malformed: expected a postgres:\/\/ URL/,
      DATABASE_URL,
    );
  }
  for (const TEMPORAL_ADDRESS of ['temporal.example', 'temporal.example:7233x', '[:7233']) {
    assert.match(refusal({ TEMPORAL_ADDRESS }) ?? '', /TEMPORAL_ADDRESS is malformed: expected host:port/);
  }
  for (const PORT of ['0', '65536', 'x']) assert.match(refusal({ PORT }) ?? '', /PORT is malformed: expected/);
  assert.equal(refusal({ SANDBOX_PORT: '3000' }), 'PORT and SANDBOX_PORT are both 3000; give them different ports.');
});

test('only errors that are written for people, and those of the operating system, are printed without a stack', () => {
  assert.equal(describeError(new StartError('Stop it first.')), 'Stop it first.');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
  assert.equal(describeError(full), 'ENOSPC: no space left on device, write');
  assert.match(describeError(new TypeError('x is undefined')), /^TypeError: x is undefined\n +at /);
  assert.equal(describeError(Object.assign(new Error('no stack'), { stack: undefined })), 'no stack');
  assert.equal(describeError('text'), 'text');
});
