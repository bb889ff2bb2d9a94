/**
 * Hashes network and browser to count a reader once a day. The salt is deleted after the day. The
 * hash also contains the article, so that the page views of a person cannot be linked across
 * articles.
 */

import { createHmac } from 'node:crypto';
import { toNetwork } from '../../plugins/network.ts';

export interface Visitor {
  network: Buffer;
  visitor: Buffer;
}

const HASH_BYTES = 16;

export function hashVisitor(salt: Buffer, request: { slug: string; address: string; userAgent: string }): Visitor {
  const { slug, address, userAgent } = request;
  const networkName = toNetwork(address);
  return { network: hash(salt, [slug, networkName]), visitor: hash(salt, [slug, networkName, userAgent]) };
}

function hash(salt: Buffer, parts: string[]): Buffer {
  return createHmac('sha256', salt).update(JSON.stringify(parts)).digest().subarray(0, HASH_BYTES);
}
