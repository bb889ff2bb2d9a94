/** GraphQL requests and database queries of the connection tests. */
import type { TestContext } from 'node:test';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import { startSandbox } from '../../destinations/destination-harness.ts';
import type { TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

const CONNECTION = 'destination platform label baseUrl account status statusReason blockedUntil createdAt updatedAt';
export const CONNECT = `mutation ($input: ConnectInput!) { connectDestination(input: $input) { ${CONNECTION} } }`;
export const RECONNECT = `mutation ($destination: Destination!, $credentials: [CredentialInput!]) {
  reconnectDestination(destination: $destination, credentials: $credentials) { ${CONNECTION} } }`;

/** Converts credentials to the input type. */
export function toFields(credentials: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(credentials).map(([name, value]) => ({ name, value }));
}

export function connectForem(
  api: TestApi,
  userId: string | null,
  baseUrl: string,
  credentials: Record<string, string> = { apiKey: DEMO_FOREM_KEY },
) {
  const input = { destination: 'blogsite_a', baseUrl, credentials: toFields(credentials) };
  return runGraphql(api, userId, CONNECT, { input });
}

export async function startForem(context: TestContext) {
  const sandbox = await startSandbox(context);
  return { ...sandbox, forem: `${sandbox.url}/forem/api` };
}

export async function listConnections(api: TestApi, userId: string) {
  return (await runGraphql(api, userId, `{ connections { ${CONNECTION} } }`)).data.connections;
}

export function findRow(api: TestApi, userId: string) {
  return api.db.selectFrom('connections').selectAll().where('userId', '=', userId).executeTakeFirst();
}
