/**
 * Who reads, as far as it must be known for a day: a hash of the network and the browser, with a salt that is thrown away. It differs from
 * article to article, so that not even within the day can it be put together what somebody reads.
 */
import { toNetwork } from '../../plugins/network.ts';
import { createHmac } from 'node:crypto';

export interface Visitor {
  network: Buffer;
  visitor: Buffer;
}

const LENGTH = 16;

export function hashVisitor(salt: Buffer, request: { slug: string; address: string; userAgent: string }): Visitor {
  const { slug, address, userAgent } = request;
  const from = toNetwork(address);
  return { network: hash(salt, [slug, from]), visitor: hash(salt, [slug, from, userAgent]) };
}

function hash(salt: Buffer, parts: string[]): Buffer {
  return createHmac('sha256', salt).update(JSON.stringify(parts)).digest().subarray(0, LENGTH);
}
