/**
 * Describes a connected account after a probe: its identity, its address and the client's
 * credentials.
 */
import type { Connection, Destination, ProbedAccount } from './types.ts';

export function describeConnectedAccount<P>(adapter: Destination<P>, connection: Connection, probed: ProbedAccount) {
  const { platform, normalizeBaseUrl } = adapter;
  return {
    platform,
    baseUrl: normalizeBaseUrl(probed.baseUrl ?? connection.baseUrl),
    credentials: { ...connection.credentials, ...probed.settings },
    account: { identity: probed.account, name: probed.name, formerIdentity: probed.formerAccount },
  };
}
