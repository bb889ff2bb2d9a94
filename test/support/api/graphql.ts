/** Sends GraphQL requests over HTTP like the settings page, signed in or not. */
import type { TestApi } from './api.ts';

export interface GraphqlAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
  data: any;
  /** The code of the first error; undefined if there is none. */
  code: string | undefined;
  message: string | undefined;
  field: string | undefined;
  /** The raw body, for checks of forbidden content. */
  text: string;
}

/** Null `userId`: nobody is signed in. */
export async function runGraphql(
  api: TestApi,
  userId: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (userId !== null) headers.authorization = `Bearer ${await api.sessions.issue('courant:session', userId)}`;
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`${api.url}/graphql`, { method: 'POST', headers, body });
  const text = await response.text();
  const answer = JSON.parse(text) as { data?: unknown; errors?: GraphqlError[] };
  const first = answer.errors?.[0];
  const { code, field } = first?.extensions ?? {};
  return { status: response.status, data: answer.data, code, message: first?.message, field, text };
}

interface GraphqlError {
  message: string;
  extensions?: { code?: string; field?: string };
}

const DELIVERY = 'state remoteUrl withdrawnAt errorCode error nextAttemptAt attempts deliveredRevision';

export type Command = 'retry' | 'skip' | 'overwrite' | 'withdraw' | 'settle';

/** Sends one command for one delivery. */
export function sendCommand(
  api: TestApi,
  userId: string | null,
  command: Command,
  target: { articleId: string; destination: string; url?: string },
): Promise<GraphqlAnswer> {
  const [type, arg] = command === 'settle' ? [', $url: String', ', url: $url'] : ['', ''];
  const query = `mutation ($articleId: ID!, $destination: Destination!${type}) {
    ${command}Delivery(articleId: $articleId, destination: $destination${arg}) { ${DELIVERY} } }`;
  return runGraphql(api, userId, query, { ...target });
}
