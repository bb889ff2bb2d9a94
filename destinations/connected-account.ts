/** What is kept of an account once a probe has found it: who it is, where it is, and what the client needs. */
import type { Connection, Destination, ProbedAccount } from './types.ts';

/** `given`: what was probed. */
export function describeConnected<P>(adapter: Destination<P>, given: Connection, probed: ProbedAccount) {
  const { platform, normalizeBaseUrl } = adapter;
  return {
    platform,
    baseUrl: normalizeBaseUrl(probed.baseUrl ?? given.baseUrl),
    credentials: { ...given.credentials, ...probed.settings },
    account: { identity: probed.account, name: probed.name, formerIdentities: probed.formerAccounts ?? [] },
    // Addresses that were kept before are compared in the same spelling.
    normalizeBaseUrl,
  };
}
