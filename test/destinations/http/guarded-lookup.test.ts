/** The guarded look-up of host names, and the sentence that an author reads for each refusal. */
import assert from 'node:assert/strict';
import { lookup as systemLookup } from 'node:dns/promises';
import { test } from 'node:test';
import {
  type AddressPolicy,
  checkAddress,
  createGuardedLookup,
  RefusedAddressError,
} from '../../../destinations/http/address-guard.ts';

const TARGET = { protocol: 'https:', port: '' };
const resolvesTo =
  (...addresses: string[]): AddressPolicy['resolve'] =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

/** The arguments of the callback after the error. */
function lookUp(hostname: string, all: boolean, policy: AddressPolicy, protocol = 'https:'): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const lookup = createGuardedLookup({ ...TARGET, protocol }, policy);
    lookup(hostname, { all }, (error, ...found) => (error ? reject(error) : resolve(found)));
  });
}

test('a socket gets all addresses, or the first with its family, as it requests', async () => {
  const policy = { allowPrivate: false, resolve: resolvesTo('2606:4700::1111', '93.184.216.34') };
  assert.deepEqual(await lookUp('blog.example.com', false, policy), ['2606:4700::1111', 6]);
  assert.deepEqual(await lookUp('blog.example.com', true, policy), [
    [
      { address: '2606:4700::1111', family: 6 },
      { address: '93.184.216.34', family: 4 },
    ],
  ]);
});

test('names are resolved by the system to all addresses unless a policy resolves them', async () => {
  const all = await systemLookup('localhost', { all: true });
  assert.deepEqual(await lookUp('localhost', true, { allowPrivate: true }), [all]);
});

const REFUSED: [address: string, reason: string, policy?: AddressPolicy][] = [
  ['blog.example.com', 'The address is not a valid URL.'],
  ['ftp://blog.example.com', 'The address must start with https://.'],
  ['https://ann@blog.example.com/', 'The address must not contain a user name or password.'],
  ['https://:x@blog.example.com/', 'The address must not contain a user name or password.'],
  ['https://0x7f.1/', 'The address contains an IP address in an unusual notation.'],
  ['https://10.0.0.1/', 'The host 10.0.0.1 is not on the public internet, so it is not called.'],
  ['https://[::1]/', 'The host ::1 is not on the public internet, so it is not called.'],
  ['http://8.8.8.8/', 'The address must start with https:// to reach 8.8.8.8.'],
  ['http://blog.example.com/', 'The address must start with https:// to reach blog.example.com.'],
  ['https://cms.lan/', 'The host cms.lan is not on the public internet, so it is not called.'],
];
const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false };

for (const [address, reason] of REFUSED) {
  test(`the reason why ${address} is not called: ${reason}`, () => {
    assert.throws(() => checkAddress(address, PUBLIC_ONLY), { name: 'RefusedAddressError', message: reason });
  });
}

test('the reason why a name is not called names it, and not the address it resolves to', async () => {
  const lookUpAt = (resolve: AddressPolicy['resolve'], protocol: string) =>
    lookUp('cms.example.com', true, { allowPrivate: false, resolve }, protocol);
  await assert.rejects(lookUpAt(resolvesTo('10.0.0.1'), 'https:'), {
    name: 'RefusedAddressError',
    message: 'The host cms.example.com is not on the public internet, so it is not called.',
  });
  await assert.rejects(lookUpAt(resolvesTo('8.8.8.8'), 'http:'), {
    message: 'The address must start with https:// to reach cms.example.com.',
  });
  await assert.rejects(lookUpAt(resolvesTo(), 'https:'), { message: 'The host cms.example.com has no address.' });
});

const allows = (address: string, allowPrivate: AddressPolicy['allowPrivate'] = false) => {
  try {
    return checkAddress(address, { allowPrivate }).href === new URL(address).href;
  } catch (error) {
    assert.ok(error instanceof RefusedAddressError);
    return false;
  }
};

test('names of private networks are refused by their last label only', () => {
  for (const label of ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa', 'onion']) {
    assert.ok(!allows(`https://cms.${label}/`), label);
    assert.ok(!allows(`https://cms.${label}./`), `${label}.`);
    for (const name of [`${label}.example.com`, `cms.${label}s`, `cms.my${label}`]) {
      assert.ok(allows(`https://${name}/`), name);
    }
  }
});

test('entries of the operator are compared in any case, as whole hosts, and with the port of the scheme', () => {
  for (const [address, entry, isAllowed] of [
    ['http://cms.intranet/', 'CMS.Intranet', true],
    ['http://cms.intranet/', 'cms', false],
    ['http://cms.intranet:8080/', 'cms.intranet', true],
    ['https://cms.intranet/', 'cms.intranet:443', true],
    ['https://cms.intranet/', 'cms.intranet:80', false],
    ['http://cms.intranet:8080/', 'cms.intranet:80', false],
    ['http://cms.intranet:80/', 'x cms.intranet:80', false],
    ['http://[fd12::7]:8080/', '[fd12::7]:8080', true],
    ['http://[fd12::7]:8081/', '[fd12::7]:8080', false],
    ['http://[fd12::7]/', 'fd12:0::7', true],
    ['http://10.0.0.1/', 'cms.intranet', false],
    // A name may resolve into a range, so only its look-up can refuse it.
    ['http://cms.intranet/', '10.0.0.0/8', true],
    ['http://[fd12::7]/', '10.0.0.0/8', false],
    ['http://8.8.8.8/', '8.8.8.8', false],
  ] as const) {
    assert.equal(allows(address, [entry]), isAllowed, `${address} with ${entry}`);
  }
  assert.ok(!allows('http://cms.intranet/', []));
});
