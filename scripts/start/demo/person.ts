/**
 * A demo account as a client of the public interfaces: signs in, sends GraphQL requests, publishes
 * with a token.
 */
import { StartError } from '../start-error.ts';
import type { DemoLogin } from './demo-file.ts';

export interface SignedInPerson {
  /** Throws `StartError` with the first error of the response. */
  request<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
}

export async function signIn(
  apiAddress: string,
  { email, password }: DemoLogin,
  aborted: AbortSignal,
): Promise<SignedInPerson> {
  const runGraphql = async <Data>(query: string, variables = {}, session?: string): Promise<Data> => {
    const response = await fetch(`${apiAddress}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([aborted, AbortSignal.timeout(15_000)]),
    });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
    if (errors?.[0] || !data) throw new StartError(`The demo's content: ${errors?.[0]?.message ?? response.status}`);
    return data;
  };
  const login =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
  const { accessToken } = (await runGraphql<{ login: { accessToken: string } }>(login, { email, password })).login;
  return { request: (query, variables) => runGraphql(query, variables, accessToken) };
}

/** Creates a token for publishing the examples; `revoke` revokes it. */
export async function createTemporaryToken(
  person: SignedInPerson,
): Promise<{ token: string; revoke(): Promise<unknown> }> {
  const { createDeveloperToken: created } = await person.request<{
    createDeveloperToken: { token: string; id: string };
  }>('mutation { createDeveloperToken(name: "Examples (made and revoked by npm start)") { token id } }');
  const revoke = 'mutation ($id: ID!) { revokeDeveloperToken(id: $id) }';
  return { token: created.token, revoke: () => person.request(revoke, { id: created.id }) };
}
