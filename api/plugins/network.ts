/** The network of a client: limits count its requests together. */
import ipaddr from 'ipaddr.js';

/** The address of an IPv4 client; the /64 of an IPv6 one, which has all of it to itself. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
