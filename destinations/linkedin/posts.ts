/** Reads LinkedIn's posts, which are identified by their URN. */
import type { HttpResponse } from '../http/exchange.ts';
import type { RemotePost } from '../types.ts';
import { findSite } from './address.ts';
import { isDuplicate, listMessages } from './refusals.ts';

const WHOLE_URN = /^urn:li:(?:share|ugcPost):\d{1,30}$/;
const URN = /urn:li:(?:share|ugcPost):\d{1,30}/;

export function buildPost(baseUrl: string, urn: string): RemotePost {
  return { remoteId: urn, url: `${findSite(baseUrl)}/feed/update/${urn}/`, changedAt: null };
}

/** The response to a create names the post in a header. */
export function readNewPost(baseUrl: string, { status, headers }: HttpResponse): RemotePost | undefined {
  const urn = headers['x-restli-id'] ?? '';
  return status === 201 && WHOLE_URN.test(urn) ? buildPost(baseUrl, urn) : undefined;
}

/**
 * The URN of the identical post that LinkedIn names when it refuses a second one. For a day or two
 * after a deletion that post may be gone; ordinary permissions do not allow a check.
 */
export function findDuplicate(answer: HttpResponse): string | null {
  if (!isDuplicate(answer)) return null;
  const urns = listMessages(answer.json).map((text) => URN.exec(text)?.[0]);
  return urns.find((urn) => urn !== undefined) ?? null;
}
