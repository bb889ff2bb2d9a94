/** The stored session of a server, for commands that need one. */
import type { CliContext } from '../context.ts';
import { readCredentials } from '../credentials/credentials-file.ts';
import { createFailure } from '../failure.ts';
import { resolveEndpoint } from './endpoint.ts';
import { askGraphql } from './graphql.ts';

/** The data of a GraphQL answer. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Throws if nobody is logged in at the server that the flag, the environment or the last login names. `purpose` begins a hint: "An import". */
export async function openSession(flag: string | undefined, purpose: string, context: CliContext): Promise<Ask> {
  const { config, signal } = context;
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(flag, config, stored.endpoint);
  const session = stored.origins?.[endpoint.origin]?.session;
  if (session === undefined) {
    throw createFailure(`You are not logged in at ${endpoint.origin}.`, {
      hints: [`${purpose} needs a session, which a developer token is not. Run: courant login`],
    });
  }
  const { accessToken } = session;
  const { allowHttp } = config;
  return (query, variables = {}) => askGraphql({ endpoint, accessToken, query, variables, allowHttp, signal });
}
