/** Finds the owner of a token and the owner of a publication. */
import type { HashnodeAccount, SandboxContext } from '../context.ts';

export function findCaller({ hashnodeAccounts }: SandboxContext, token: string | null): HashnodeAccount | undefined {
  return token !== null && Object.hasOwn(hashnodeAccounts, token) ? hashnodeAccounts[token] : undefined;
}

/** The account that owns a publication. */
export function findAccount({ hashnodeAccounts }: SandboxContext, publicationId: string): HashnodeAccount | undefined {
  return Object.values(hashnodeAccounts).find((account) => listPublications(account).includes(publicationId));
}

export function listPublications({ publicationId, otherPublicationIds = [] }: HashnodeAccount): string[] {
  return [publicationId, ...otherPublicationIds];
}
