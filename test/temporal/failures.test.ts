/** The causes and remedies of connection errors, from the messages of gRPC, Node.js and rustls. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { loadTemporalConfig } from '../../temporal/connection.ts';
import { describeTemporalFailure } from '../../temporal/describe-failure.ts';
import { probeTemporal } from '../../temporal/probe.ts';

const CONFIG = { connectionOptions: { address: 'temporal.example:7233' }, namespace: 'courant' };

const CAUSES: [cause: string, remedy: string, messages: string[]][] = [
  [
    'its certificate is signed by an unknown authority',
    'Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the file of that authority.',
    [
      'self-signed certificate in certificate chain',
      'self signed certificate',
      'unable to get local issuer certificate',
      'unable to verify the first certificate',
      'invalid peer certificate: UnknownIssuer',
      'unknown issuer',
      'invalid peer certificate: BadSignature',
      'invalid peer certificate: Other(OtherError(x))',
    ],
  ],
  [
    'its certificate is for another host name',
    'Use the host name of the certificate in TEMPORAL_ADDRESS, or set it in TEMPORAL_TLS_SERVER_NAME.',
    ['ERR_TLS_CERT_ALTNAME_INVALID: altnames', 'Hostname/IP does not match', 'NotValidForName', 'not valid for name x'],
  ],
  [
    'its certificate has expired or is not valid yet',
    'Renew it, and check the clocks of both machines.',
    [
      'certificate has expired',
      'CertificateExpired',
      'cert_expired',
      'certificate expired',
      'certexpired',
      'not yet valid',
    ],
  ],
  [
    'it rejects the client certificate',
    'Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate and key from an authority that it trusts.',
    [
      'certificate required',
      'bad certificate',
      'unknown CA',
      'UnknownCA',
      'alert number 46: certificate',
      'decrypt error',
    ],
  ],
  [
    'the client certificate or its key cannot be used',
    'Both must be PEM and belong together: see TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
    ['key values mismatch', 'bad PEM', 'no start line', 'asn1 encoding', 'error:1E08010C:DECODER routines'],
  ],
  [
    'it refuses access',
    'Check that TEMPORAL_API_KEY is valid and allowed for this namespace. In Temporal Cloud the namespace is name.account.',
    ['16 UNAUTHENTICATED', 'invalid API key', 'JWT is invalid', 'Request unauthorized.', '7 PERMISSION_DENIED'],
  ],
  [
    'the namespace does not exist',
    'Create it (temporal operator namespace create), or correct TEMPORAL_NAMESPACE.',
    ['Namespace courant is not found.', '5 NOT_FOUND'],
  ],
  [
    'only one side uses TLS, or it rejects the client certificate',
    'Set TEMPORAL_TLS=true, with TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH if it requires a certificate; or set none of them.',
    [
      'wrong version number',
      'write EPROTO',
      'packet length too long',
      'socket hang up',
      'socket hangup',
      'read ECONNRESET',
      'Connection dropped',
      'Protocol error',
      'received corrupt message',
    ],
  ],
];

for (const [cause, remedy, messages] of CAUSES) {
  for (const message of messages) {
    test(`the error “${message}” is explained: ${cause}`, () => {
      assert.deepEqual(describeTemporalFailure(new Error(message), CONFIG), {
        message: `Temporal at temporal.example:7233, namespace courant: ${cause} (${message}).`,
        remedy,
      });
    });
  }
}

test('any other error is reported as a server that cannot be reached', () => {
  const remedy = 'Check that it is running and that TEMPORAL_ADDRESS is its host and port.';
  for (const [error, reason] of [
    [new Error('connect\n  ECONNREFUSED'), 'connect ECONNREFUSED'],
    [new Error('x'.repeat(301)), 'x'.repeat(300)],
    ['a text', 'a text'],
    [new Error('one', { cause: new Error('two', { cause: new Error('one') }) }), 'one: two'],
    [Object.assign(new Error('one'), { code: 'ECODE', details: 'more' }), 'one: ECODE: more'],
    [Object.assign(new Error('one'), { code: 14, details: 'one' }), 'one'],
  ] as const) {
    assert.deepEqual(describeTemporalFailure(error, CONFIG), {
      message: `Temporal at temporal.example:7233, namespace courant cannot be reached: ${reason}.`,
      remedy,
    });
  }
  const { message } = describeTemporalFailure(new Error('x'), {
    connectionOptions: undefined,
    namespace: 'default',
  } as never);
  assert.equal(message, 'Temporal at localhost:7233, namespace default cannot be reached: x.');
});

test('a chain of causes is read up to its fourth error', () => {
  let error = new Error('certificate has expired');
  for (const text of ['4', '3', '2', '1', '0'])
    error = Object.assign(new Error(text, { cause: error }), { code: `C${text}` });
  assert.match(describeTemporalFailure(error, CONFIG).message, /: 0: C0: 1: C1: 2: C2: 3: C3\.$/);
});

test('the namespace is "default" unless one is set', () => {
  assert.equal(loadTemporalConfig({ TEMPORAL_ADDRESS: 'a:1' }).namespace, 'default');
  const { namespace, connectionOptions } = loadTemporalConfig({ TEMPORAL_ADDRESS: 'a:1', TEMPORAL_NAMESPACE: 'mine' });
  assert.deepEqual([namespace, connectionOptions?.address], ['mine', 'a:1']);
});

/** Probes a server that responds to the first bytes with `answer`, or ends the connection. */
async function probe(t: { after(fn: () => void): void }, answer: Buffer | null) {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      received.push(bytes);
      if (answer === null) socket.end();
      else socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const error = await probeTemporal({ connectionOptions: { address: `127.0.0.1:${port}` }, namespace: 'default' });
  return { error, received: Buffer.concat(received) };
}

test('a server is probed with the preface of HTTP/2; a TLS alert or an ended connection is an error', async (t) => {
  const answered = await probe(t, Buffer.from([0, 0, 0, 4, 0]));
  assert.equal(answered.error, null);
  assert.equal(answered.received.toString('latin1'), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
  assert.equal(
    (await probe(t, Buffer.from([0x15, 3, 3]))).error?.message,
    'Protocol error: it responds with a TLS alert',
  );
  assert.equal((await probe(t, null)).error?.message, 'Connection dropped');
});
