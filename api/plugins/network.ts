/** Derives the network of a client address. Rate limits count the requests of a network. */
import ipaddr from 'ipaddr.js';

/** Returns the address of an IPv4 client, and the /64 of an IPv6 client, which owns all of it. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
