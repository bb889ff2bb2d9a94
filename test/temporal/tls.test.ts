/** Temporal behind TLS: a proxy before the tests’ server asks for certificates as Temporal Cloud does, and wrong ones end in a sentence. */
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
/** What the settings have to say for it to work. */
let right: Record<string, string>;
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
  right = {
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
  const [first] = await checkTemporal('courant', { ...right, ...change });
  return first;
}

test('with its authority and a certificate of ours, the API’s and the worker’s connections are made', async () => {
  const { connectionOptions } = loadTemporalConfig(right);
  const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '30s' });
  await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  const native = await NativeConnection.connect(connectionOptions ?? {});
  await native.close();
  assert.equal((await diagnose({}))?.level, 'ok');
});

const WRONG: [what: string, change: NodeJS.ProcessEnv, says: RegExp, next: RegExp][] = [
  [
    'of another authority than we know, the server is refused',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.certPath },
    /of an authority that we do not know/,
    /TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
  ],
  [
    'a server with a certificate for another host is refused',
    { TEMPORAL_TLS_SERVER_NAME: 'other.example' },
    /for another host name/,
    /TEMPORAL_TLS_SERVER_NAME/,
  ],
  [
    'a certificate of ours that the server does not know is named as what is wrong',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: foreign.certPath, TEMPORAL_TLS_CLIENT_KEY_PATH: foreign.keyPath },
    /does not take our certificate/,
    /TEMPORAL_TLS_CLIENT_CERT_PATH/,
  ],
  [
    'no certificate of ours, where one is asked for, is named as what is wrong',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: undefined, TEMPORAL_TLS_CLIENT_KEY_PATH: undefined },
    /does not take our certificate/,
    /TEMPORAL_TLS_CLIENT_CERT_PATH/,
  ],
  [
    'a key that does not belong to the certificate cannot be used',
    { TEMPORAL_TLS_CLIENT_KEY_PATH: foreign.keyPath },
    /cannot be used/,
    /belong to each other/,
  ],
  [
    'a file that is not there is named',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/client.pem' },
    /cannot be read: .*\/nowhere\/client\.pem/,
    /TEMPORAL_/,
  ],
];

for (const [what, change, says, next] of WRONG) {
  test(`${what}, with what to do`, async () => {
    const finding = await diagnose(change);
    assert.equal(finding?.level, 'fail');
    assert.match(finding?.says ?? '', says);
    assert.match(finding?.next ?? '', next);
  });
}

test('without TLS at a server with TLS, and the other way round, it is said that one side speaks TLS', async () => {
  const plain = { TEMPORAL_ADDRESS: right.TEMPORAL_ADDRESS ?? '' };
  assert.match((await checkTemporal('courant', plain))[0]?.says ?? '', /speaks TLS and the other does not/);
  const [finding] = await checkTemporal('courant', { ...right, TEMPORAL_ADDRESS: readTemporalAddress() });
  assert.match(finding?.says ?? '', /speaks TLS and the other does not/);
});
