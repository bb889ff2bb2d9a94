/** In whose name is posted: a person, or a page where the connection names one. */
import type { Outcome } from '../types.ts';

/** The URN that a connection's settings give; null where they give none yet. */
export function authorUrn(credentials: Record<string, string>): string | null {
  const { organizationId, authorUrn: known } = credentials;
  if (organizationId) return `urn:li:organization:${organizationId.trim()}`;
  return known || null;
}

export function personUrn(sub: string): string {
  return `urn:li:person:${sub}`;
}

/** Null where a page is named by its number, or none is named. */
export function refuseOrganization({ organizationId }: Record<string, string>): Outcome<never> | null {
  if (!organizationId || /^\d{1,20}$/.test(organizationId.trim())) return null;
  const reason = 'A LinkedIn page is named by its number: correct it and connect again.';
  return { kind: 'rejected', code: 'organization_invalid', reason };
}
