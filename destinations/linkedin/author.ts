/** Determines who posts: a person, or the page that the connection names. */
import { reject } from '../http/failures.ts';
import type { Failure } from '../types.ts';

/** The URN in a connection's settings. Null if they contain none yet. */
export function buildAuthorUrn({ organizationId, authorUrn }: Record<string, string>): string | null {
  if (organizationId) return `urn:li:organization:${organizationId.trim()}`;
  return authorUrn || null;
}

export function buildPersonUrn(sub: string): string {
  return `urn:li:person:${sub}`;
}

/** Posting permissions do not allow reading a page's name. */
export function describePage(urn: string): string {
  return `LinkedIn page ${urn.replace(/^.*:/, '')}`;
}

/** Null if the page is identified by its number, or no page is set. */
export function refuseOrganization({ organizationId }: Record<string, string>): Failure | null {
  if (!organizationId || /^\d{1,20}$/.test(organizationId.trim())) return null;
  return reject('organization_invalid', 'A LinkedIn page id is a number. Correct it and connect again.');
}
