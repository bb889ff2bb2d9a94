/** The address guard: refused addresses, and refused results of name resolution. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import {
  type AddressPolicy,
  checkAddress,
  createGuardedLookup,
  isPublicIp,
  RefusedAddressError,
} from '../../../destinations/http/address-guard.ts';
import { exchange } from '../../../destinations/http/exchange.ts';
import { readShared, sharedPath } from '../../support/shared-data.ts';
import { startServer } from '../destination-harness.ts';

const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false };

function refuses(address: string, policy: AddressPolicy = PUBLIC_ONLY): boolean {
  try {
    checkAddress(address, policy);
    return false;
  } catch (error) {
    if (error instanceof RefusedAddressError) return true;
    throw error;
  }
}

function lookUp(hostname: string, protocol: string, policy: AddressPolicy): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    createGuardedLookup({ protocol, port: '' }, policy)(hostname, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses as LookupAddress[]);
    });
  });
}

function resolvingTo(...addresses: string[]): AddressPolicy['resolve'] {
  return () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
}

const REFUSED_HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
  ],
  ...['169.254.169.254', '100.64.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
  ],
  ...['[2001::1]', '[::7f00:1]', '[fe80::1]', '[fec0::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'metadata', 'router.lan'],
  // A public address, but in an unusual spelling.
  ...['134744072', '010.8.8.8', '0x8.0x8.0x8.0x8'],
];

for (const host of REFUSED_HOSTS) {
  test(`https://${host}/ is refused (A10)`, () => {
    assert.ok(refuses(`https://${host}/`));
  });
}

test('public hosts and addresses are allowed over https only (A10)', () => {
  for (const host of [
    'dev.to',
    'example.com.',
    'xn--bcher-kva.example',
    '8.8.8.8',
    '[2606:4700::1111]',
    'dev.to:8443',
  ]) {
    assert.ok(!refuses(`https://${host}/api`), host);
    assert.ok(refuses(`http://${host}/api`), host);
  }
});

test('other schemes, credentials in the address and invalid addresses are refused (A10)', () => {
  for (const address of [
    'ftp://dev.to',
    'file:///etc/passwd',
    'https://user:secret@dev.to/',
    'https://user@dev.to/',
    'https://:secret@dev.to/',
    'dev.to',
    '',
    'https://',
    'javascript:1',
  ]) {
    assert.ok(refuses(address), address);
  }
});

const ssrf = sharedPath('hostile/ssrf.txt');
test('no address of the SSRF list is called, over http or https (A10)', { skip: ssrf.skip }, async () => {
  const lines = readShared('hostile/ssrf.txt')
    .split('\n')
    .filter((line) => line.trim() !== '');
  assert.ok(lines.length > 50);
  for (const line of lines) {
    if (line.startsWith('http:')) assert.ok(refuses(line), line);
    const address = line.replace(/^http:(?=\/\/)/, 'https:');
    if (refuses(address)) continue;
    // The others are names in the public DNS. Their addresses are checked when they are called.
    const host = new URL(address).hostname;
    assert.match(host, /[a-z]\.[a-z]+$/, line);
    await assert.rejects(
      lookUp(host, 'https:', { allowPrivate: false, resolve: resolvingTo('169.254.169.254') }),
      RefusedAddressError,
    );
  }
});

test('a name that resolves to a private address, even beside a public one, is not connected to (A9)', async () => {
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::ffff:127.0.0.1'], ['fe80::1%eth0'], []]) {
    const policy = { allowPrivate: false, resolve: resolvingTo(...addresses) };
    await assert.rejects(lookUp('rebind.example.com', 'https:', policy), RefusedAddressError, addresses.join());
  }
});

test('a name is resolved once, and the socket gets the address that was checked (A9)', async () => {
  let lookUps = 0;
  const answers = ['93.184.216.34', '127.0.0.1'];
  const resolve = () => Promise.resolve([{ address: answers[lookUps++] ?? '', family: 4 }]);
  assert.deepEqual(await lookUp('rebind.example.com', 'https:', { allowPrivate: false, resolve }), [
    { address: '93.184.216.34', family: 4 },
  ]);
  assert.equal(lookUps, 1);
});

test('a public name that later resolves to a private address makes no connection (A9)', async (context) => {
  let called = 0;
  const origin = await startServer(context, (_request, response) => {
    called += 1;
    response.end('{}');
  });
  const url = `https://rebind.example.com:${new URL(origin).port}/`;
  const addresses = { allowPrivate: false, resolve: resolvingTo('127.0.0.1') };
  assert.equal((await exchange({ method: 'GET', url }, { timeoutMs: 2000, addresses })).kind, 'refusedAddress');
  assert.equal(called, 0);
});

test('the operator can allow the private address space, but not link-local or reserved ranges', () => {
  const open: AddressPolicy = { allowPrivate: true };
  for (const address of [
    'http://localhost:4010/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'https://10.1.2.3/',
    'http://100.64.0.1/',
  ]) {
    assert.ok(!refuses(address, open), address);
  }
  for (const address of ['http://169.254.169.254/', 'http://0.0.0.0/', 'http://[fe80::1]/', 'http://8.8.8.8/']) {
    assert.ok(refuses(address, open), address);
  }
});

test('plain http reaches no public address, even if private addresses are allowed', async () => {
  const policy = { allowPrivate: true, resolve: resolvingTo('93.184.216.34') };
  await assert.rejects(lookUp('blog.example.com', 'http:', policy), RefusedAddressError);
  assert.equal((await lookUp('blog.example.com', 'https:', policy)).length, 1);
});

test('the operator can allow single hosts, addresses and ranges', async () => {
  const some: AddressPolicy = {
    allowPrivate: ['10.1.0.0/16', '192.168.7.7', 'cms.intranet'],
    resolve: resolvingTo('10.1.9.9'),
  };
  for (const address of ['http://10.1.2.3/', 'http://192.168.7.7/', 'http://cms.intranet/'])
    assert.ok(!refuses(address, some), address);
  for (const address of ['http://10.2.0.1/', 'http://127.0.0.1/', 'http://192.168.7.8/'])
    assert.ok(refuses(address, some), address);
  assert.equal((await lookUp('cms.intranet', 'http:', some)).length, 1);
  assert.equal((await lookUp('wiki.intranet', 'http:', some)).length, 1);
  await assert.rejects(
    lookUp('wiki.intranet', 'http:', { ...some, resolve: resolvingTo('10.2.0.1') }),
    RefusedAddressError,
  );
});

test('an address that the operator allows is allowed on every interface', async () => {
  const policy = { allowPrivate: ['fd12::7'], resolve: resolvingTo('fd12::7%eth0') };
  assert.equal((await lookUp('cms.intranet', 'http:', policy)).length, 1);
  await assert.rejects(
    lookUp('cms.intranet', 'http:', { ...policy, resolve: resolvingTo('fd12::8%eth0') }),
    RefusedAddressError,
  );
});

test('the operator can allow one port of a host, as npm start does for the sandbox (A33)', async () => {
  const sandbox: AddressPolicy = {
    allowPrivate: ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010', 'cms.intranet:80'],
  };
  for (const address of [
    'http://127.0.0.1:4010/wordpress',
    'http://localhost:4010/',
    'http://[::1]:4010/',
    'http://cms.intranet/',
    'http://cms.intranet:80/',
  ]) {
    assert.ok(!refuses(address, sandbox), address);
  }
  for (const address of [
    'http://127.0.0.1:5432/',
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]:7233/',
    'https://cms.intranet/',
    'http://10.0.0.1:4010/',
    'http://127.0.0.2:4010/',
  ]) {
    assert.ok(refuses(address, sandbox), address);
  }
  const local = { ...sandbox, resolve: resolvingTo('127.0.0.1') };
  const lookUpPort = (port: string) =>
    new Promise((resolve, reject) => {
      const lookup = createGuardedLookup({ protocol: 'http:', port }, local);
      lookup('localhost', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
  assert.ok(await lookUpPort('4010'));
  await assert.rejects(lookUpPort('5432'), RefusedAddressError);
});

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '::a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
];

test('no setting of the operator allows link-local and metadata addresses, by number or by name (A33)', async () => {
  for (const address of METADATA) {
    const host = address.includes(':') ? `[${address}]` : address;
    for (const allowPrivate of [
      true,
      false,
      [address],
      [`${host}:80`, `${host}:443`],
      ['0.0.0.0/0', '::/0'],
      ['trap.example.com'],
    ]) {
      for (const protocol of ['http:', 'https:']) {
        assert.ok(refuses(`${protocol}//${host}/latest/meta-data`, { allowPrivate }), `${host} ${allowPrivate}`);
        const policy = { allowPrivate, resolve: resolvingTo('93.184.216.34', address) };
        await assert.rejects(
          lookUp('trap.example.com', protocol, policy),
          RefusedAddressError,
          `${host} ${allowPrivate}`,
        );
      }
    }
  }
});

test('wrapped IPv4 addresses are not public, whatever they wrap', () => {
  for (const address of ['::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::', '::808:808'])
    assert.ok(!isPublicIp(address), address);
  assert.ok(isPublicIp('8.8.8.8') && isPublicIp('2606:4700::1111'));
});

test('nothing is sent to a name that does not exist, so the delivery can be retried later', async () => {
  const failure = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  const addresses: AddressPolicy = { allowPrivate: false, resolve: () => Promise.reject(failure) };
  const ended = await exchange(
    { method: 'POST', url: 'https://gone.example.com/', body: {} },
    { timeoutMs: 2000, addresses },
  );
  assert.deepEqual(ended, { kind: 'neverSent', cause: 'its host name does not exist' });
});

test('nothing is sent over TLS to a server without TLS', async (context) => {
  const origin = await startServer(context, (_request, response) => response.end('{}'));
  const url = origin.replace('http:', 'https:');
  const ended = await exchange(
    { method: 'POST', url, body: {} },
    { timeoutMs: 2000, addresses: { allowPrivate: true } },
  );
  assert.equal(ended.kind, 'neverSent');
});
