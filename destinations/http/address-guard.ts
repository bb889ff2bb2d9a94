/**
 * Limits calls to addresses that people enter: the public internet, and addresses that the operator
 * allows. `createGuardedLookup` passes the socket only the addresses that it checked, so that a
 * name cannot resolve to another address between the check and the connection.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** See `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
  /** Resolves a host name to all its addresses. Default: the system's resolver. */
  resolve?: ((hostname: string) => Promise<LookupAddress[]>) | undefined;
}

/** The reason why an address is not called. The message is a sentence for the author. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

/** Parses the URL. Throws `RefusedAddressError` if the URL alone already forbids a call. */
export function checkAddress(address: string, policy: AddressPolicy): URL {
  const url = URL.parse(address);
  if (!url) throw new RefusedAddressError('The address is not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new RefusedAddressError('The address must start with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedAddressError('The address must not contain a user name or password.');
  }
  const host = readHost(url);
  if (ipaddr.isValid(host)) {
    // The parser also reads 2130706433 or 0177.1. Only attackers use these notations.
    if (!address.toLowerCase().includes(url.hostname)) {
      throw new RefusedAddressError('The address contains an IP address in an unusual notation.');
    }
    checkIp(host, host, url, policy);
  } else if (!isAllowedName(host, url, policy)) {
    checkName(host, url.protocol);
  }
  return url;
}

/** A `lookup` for sockets: resolves once, checks every address, returns only these. */
export function createGuardedLookup(target: Target, policy: AddressPolicy): LookupFunction {
  const resolve = policy.resolve ?? ((hostname: string) => systemLookup(hostname, { all: true }));
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        try {
          for (const { address } of addresses) checkIp(address, hostname, target, policy);
        } catch (error) {
          callback(error as NodeJS.ErrnoException, []);
          return;
        }
        const [first] = addresses;
        if (!first) callback(new RefusedAddressError(`The host ${hostname} has no address.`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** True for a public unicast address. Wrapped IPv4 forms (mapped, NAT64, 6to4) are not. */
export function isPublicIp(address: string): boolean {
  const ip = ipaddr.parse(address);
  if (ip.range() !== 'unicast') return false;
  // Global unicast is 2000::/3. The library counts more as unicast (::7f00:1, fec0::).
  return ip.kind() === 'ipv4' || ip.match(ipaddr.parseCIDR('2000::/3'));
}

/** The parts of a URL that the guard checks, beside the host. */
type Target = Pick<URL, 'protocol' | 'port'>;

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Link-local addresses, and those at which clouds serve credentials to machines: most
 * (169.254.169.254), AWS (fd00:ec2::254), Azure (168.63.129.16, a public address), Alibaba
 * (100.100.100.200), Oracle (192.0.0.192). No operator can allow them.
 */
const BLOCKED_RANGES = [
  '169.254.0.0/16',
  'fe80::/10',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
].map((range) => ipaddr.parseCIDR(range));

/**
 * IPv6 ranges that contain an IPv4 address, and the byte at which it begins: compatible, NAT64 and
 * 6to4. The library itself unwraps mapped addresses.
 */
const WRAPPED: [range: string, at: number][] = [
  ['::/96', 12],
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/48', 12],
  ['2002::/16', 2],
];

export function isBlockedAddress(address: string): boolean {
  return unwrap(ipaddr.process(address)).some((ip) => isInRange(ip, BLOCKED_RANGES));
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** An address of the other kind is in no range. */
function isInRange(ip: Ip, ranges: readonly [Ip, number][]): boolean {
  return ipaddr.subnetMatch(ip, { inside: [...ranges] as never }, 'outside') === 'inside';
}

/** The address, and any IPv4 address that it wraps. */
function unwrap(ip: Ip): Ip[] {
  if (ip.kind() === 'ipv4') return [ip];
  const bytes = ip.toByteArray();
  const inside = WRAPPED.filter(([range]) => isInRange(ip, [ipaddr.parseCIDR(range)]));
  return [ip, ...inside.map(([, at]) => ipaddr.fromByteArray(bytes.slice(at, at + 4)))];
}

function checkIp(address: string, host: string, target: Target, policy: AddressPolicy): void {
  // A scope (`fe80::1%eth0`) names an interface. The library would read it as part of the address.
  const plain = address.replace(/%.*$/, '');
  if (ipaddr.isValid(plain) && !isBlockedAddress(plain)) {
    if (isAllowedPrivate(plain, host, target, policy)) return;
    if (isPublicIp(plain)) {
      if (target.protocol === 'https:') return;
      throw new RefusedAddressError(`The address must start with https:// to reach ${host}.`);
    }
  }
  throw new RefusedAddressError(`The host ${host} is not on the public internet, so it is not called.`);
}

function isAllowedPrivate(address: string, host: string, target: Target, policy: AddressPolicy): boolean {
  const ip = ipaddr.process(address);
  // `true` never allows multicast, reserved or unspecified addresses.
  if (policy.allowPrivate === true) return PRIVATE_RANGES.has(ip.range());
  if (policy.allowPrivate === false || isPublicIp(address)) return false;
  return policy.allowPrivate.some((entry) => matchesEntry(entry, host.toLowerCase(), target, ip));
}

function isAllowedName(host: string, target: Target, { allowPrivate }: AddressPolicy): boolean {
  if (typeof allowPrivate === 'boolean') return allowPrivate;
  return allowPrivate.some((entry) => matchesEntry(entry, host, target, null));
}

/** For a name, `ip` is null: it may resolve into an allowed range, so the look-up decides. */
function matchesEntry(entry: string, host: string, target: Target, ip: Ip | null): boolean {
  if (ipaddr.isValidCIDR(entry)) return ip === null || isInRange(ip, [ipaddr.parseCIDR(entry)]);
  const allowed = readEntry(entry);
  if (allowed.port !== null && allowed.port !== findPort(target)) return false;
  if (allowed.host === host) return true;
  const isAddress = ip !== null && ipaddr.isValid(allowed.host);
  return isAddress && ipaddr.process(allowed.host).toNormalizedString() === ip.toNormalizedString();
}

/** Reads `host`, `host:port`, an IP address, or `[IPv6]:port`. */
function readEntry(entry: string): { host: string; port: string | null } {
  const parts = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(entry);
  const host = parts?.[1] ?? parts?.[2] ?? entry;
  return { host: host.toLowerCase(), port: parts?.[3] ?? null };
}

function findPort({ protocol, port }: Target): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function checkName(host: string, protocol: string): void {
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || /\.(localhost|local|internal|intranet|lan|home|corp|arpa|onion)$/.test(name)) {
    throw new RefusedAddressError(`The host ${host} is not on the public internet, so it is not called.`);
  }
  if (protocol !== 'https:') throw new RefusedAddressError(`The address must start with https:// to reach ${host}.`);
}

function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
