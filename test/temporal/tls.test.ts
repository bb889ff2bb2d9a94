/**
 * Tests Temporal over mutual TLS, with a proxy that requires client certificates as Temporal Cloud
 * does.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { checkTemporal } from '../../scripts/doctor/check-temporal.ts';
import { loadTemporalConfig } from '../../temporal/connection.ts';
import { makeAuthority, makeCertificate } from '../support/certificates.ts';
import { readTemporalAddress } from '../support/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'courant-tls-'));
const authority = makeAuthority(folder, 'authority');
const stranger = makeAuthority(folder, 'stranger');
const server = makeCertificate(folder, 'server', authority, 'temporal.example');
const client = makeCertificate(folder, 'client', authority, 'courant.example');
const foreign = makeCertificate(folder, 'foreign', stranger, 'courant.example');

let proxy: Server;
/** The valid settings. */
let validSettings: Record<string, string>;
before(async () => {
  const [host, port] = readTemporalAddress().split(':');
  const [ca, cert, key] = [authority.certPath, server.certPath, server.keyPath].map((path) => readFileSync(path));
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  proxy = createServer(options as Parameters<typeof createServer>[0], (socket) => {
    const upstream = connect(Number(port), host);
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  proxy.on('tlsClientError', () => undefined);
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  validSettings = {
    TEMPORAL_ADDRESS: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.certPath,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.certPath,
    TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyPath,
  };
});
after(() => {
  proxy.close();
  rmSync(folder, { recursive: true });
});

async function diagnose(change: NodeJS.ProcessEnv) {
  const [first] = await checkTemporal('courant', { ...validSettings, ...change });
  return first;
}

test('the API and the worker connect with the server’s authority and a client certificate', async () => {
  const { connectionOptions } = loadTemporalConfig(validSettings);
  const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '30s' });
  await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  const native = await NativeConnection.connect(connectionOptions ?? {});
  await native.close();
  assert.equal((await diagnose({}))?.level, 'ok');
});

const WRONG: [name: string, change: NodeJS.ProcessEnv, message: RegExp, remedy: RegExp][] = [
  [
    'a server certificate of an unknown authority is refused',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.certPath },
    /signed by an unknown authority/,
    /TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
  ],
  [
    'a server certificate for another host is refused',
    { TEMPORAL_TLS_SERVER_NAME: 'other.example' },
    /for another host name/,
    /TEMPORAL_TLS_SERVER_NAME/,
  ],
  [
    'a client certificate of an unknown authority is reported',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: foreign.certPath, TEMPORAL_TLS_CLIENT_KEY_PATH: foreign.keyPath },
    /rejects the client certificate/,
    /TEMPORAL_TLS_CLIENT_CERT_PATH/,
  ],
  [
    'a missing client certificate is reported',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: undefined, TEMPORAL_TLS_CLIENT_KEY_PATH: undefined },
    /rejects the client certificate/,
    /TEMPORAL_TLS_CLIENT_CERT_PATH/,
  ],
  [
    'a key that does not match the certificate is reported',
    { TEMPORAL_TLS_CLIENT_KEY_PATH: foreign.keyPath },
    /cannot be used/,
    /belong together/,
  ],
  [
    'a missing file is reported',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/client.pem' },
    /cannot be read: .*\/nowhere\/client\.pem/,
    /TEMPORAL_/,
  ],
];

for (const [name, change, message, remedy] of WRONG) {
  test(`${name}, with a remedy`, async () => {
    const finding = await diagnose(change);
    assert.equal(finding?.level, 'fail');
    assert.match(finding?.message ?? '', message);
    assert.match(finding?.advice ?? '', remedy);
  });
}

test('TLS on one side only is reported', async () => {
  const plain = { TEMPORAL_ADDRESS: validSettings.TEMPORAL_ADDRESS ?? '' };
  assert.match((await checkTemporal('courant', plain))[0]?.message ?? '', /only one side uses TLS/);
  const [finding] = await checkTemporal('courant', { ...validSettings, TEMPORAL_ADDRESS: readTemporalAddress() });
  assert.match(finding?.message ?? '', /only one side uses TLS/);
});
