/**
 * Keeps calls to addresses that people supply within the public internet (and what else the operator allows). Two halves:
 * `checkAddress` checks the URL itself; `createGuardedLookup` checks what the name resolves to and gives the socket exactly
 * those addresses, so that a name cannot resolve to something else between check and connection.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** See `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
  /** Resolves a host name to all its addresses. The system's resolver by default; tests give their own. */
  resolve?: ((hostname: string) => Promise<LookupAddress[]>) | undefined;
}

/** Why an address is not called. The message is a sentence for the author. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

/** The parsed URL; throws `RefusedAddressError` where the URL itself already forbids a call. */
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
    // 2130706433, 0177.1 and the like: the parser reads them as IP addresses, and only an attack spells them so.
    if (!address.toLowerCase().includes(url.hostname)) {
      throw new RefusedAddressError('The address spells an IP address in an unusual way.');
    }
    checkIp(host, host, url.protocol, policy);
  } else if (!isAllowedName(host, policy)) {
    checkName(host, url.protocol);
  }
  return url;
}

/** A `lookup` for sockets that resolves once, refuses unless every answer is allowed, and gives only what it checked. */
export function createGuardedLookup(protocol: string, policy: AddressPolicy): LookupFunction {
  const resolve = policy.resolve ?? ((hostname: string) => systemLookup(hostname, { all: true }));
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        try {
          for (const { address } of addresses) checkIp(address, hostname, protocol, policy);
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

/** True for a unicast address on the public internet; wrapped IPv4 forms (mapped, NAT64, 6to4) are not. */
export function isPublicIp(address: string): boolean {
  const ip = ipaddr.parse(address);
  if (ip.range() !== 'unicast') return false;
  // Global unicast is 2000::/3; the library counts more than that as unicast (::7f00:1, fec0::).
  return ip.kind() === 'ipv4' || ip.match(ipaddr.parseCIDR('2000::/3'));
}

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

function checkIp(address: string, host: string, protocol: string, policy: AddressPolicy): void {
  // ipaddr matches no range against an address with a scope (`fe80::1%eth0`).
  const plain = address.replace(/%.*$/, '');
  if (ipaddr.isValid(plain)) {
    if (isAllowedPrivate(plain, host, policy)) return;
    if (isPublicIp(plain)) {
      if (protocol === 'https:') return;
      throw new RefusedAddressError(`The address must start with https:// to reach ${host}.`);
    }
  }
  throw new RefusedAddressError(`The host ${host} is not on the public internet, so it is not called.`);
}

function isAllowedPrivate(address: string, host: string, policy: AddressPolicy): boolean {
  const ip = ipaddr.process(address);
  // What `true` never opens: link-local (cloud metadata), multicast, reserved, unspecified.
  if (policy.allowPrivate === true) return PRIVATE_RANGES.has(ip.range());
  if (policy.allowPrivate === false || isPublicIp(address)) return false;
  return policy.allowPrivate.some((entry) => {
    if (entry.toLowerCase() === host.toLowerCase()) return true;
    if (ipaddr.isValidCIDR(entry)) {
      const [base, bits] = ipaddr.parseCIDR(entry);
      return base.kind() === ip.kind() && ip.match([base, bits] as never);
    }
    return ipaddr.isValid(entry) && ipaddr.process(entry).toNormalizedString() === ip.toNormalizedString();
  });
}

function isAllowedName(host: string, policy: AddressPolicy): boolean {
  if (typeof policy.allowPrivate === 'boolean') return policy.allowPrivate;
  // With ranges allowed, a local name may resolve into one of them: the look-up decides.
  return policy.allowPrivate.some((entry) => entry.toLowerCase() === host || ipaddr.isValidCIDR(entry));
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
