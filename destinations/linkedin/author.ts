/** Who posts: a person, or a page where the connection names one. */
import { reject } from '../http/failures.ts';
import type { Failure } from '../types.ts';

/** The URN that a connection's settings give; null where they give none yet. */
export function buildAuthorUrn({ organizationId, authorUrn }: Record<string, string>): string | null {
  if (organizationId) return `urn:li:organization:${organizationId.trim()}`;
  return authorUrn || null;
}

export function buildPersonUrn(sub: string): string {
  return `urn:li:person:${sub}`;
}

/** What a page is called cannot be read with the permissions that posting needs. */
export function describePage(urn: string): string {
  return `LinkedIn page ${urn.replace(/^.*:/, '')}`;
}

/** Null where the page is given by its number, or no page is given. */
export function refuseOrganization({ organizationId }: Record<string, string>): Failure | null {
  if (!organizationId || /^\d{1,20}$/.test(organizationId.trim())) return null;
  return reject('organization_invalid', 'A LinkedIn page is named by its number: correct it and connect again.');
}
