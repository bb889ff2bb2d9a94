/** One question over GraphQL, as the person of a session. */
import { createFailure } from '../failure.ts';
import { USER_AGENT } from '../version.ts';
import { type Endpoint, refuseClearText } from './endpoint.ts';
import { postJson } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { explainNetworkError } from './publish-article.ts';
import { describeRefusal } from './refusal.ts';

export interface GraphqlRequest {
  endpoint: Endpoint;
  accessToken: string;
  query: string;
  variables: Record<string, unknown>;
  allowHttp: boolean;
  signal: AbortSignal;
}

/** The data of the answer. Where the server refuses, throws what it says. */
export async function askGraphql(request: GraphqlRequest): Promise<Record<string, unknown>> {
  const { endpoint, accessToken, query, variables, signal } = request;
  refuseClearText(endpoint, request);
  const answer = await postJson({
    url: endpoint.graphqlUrl,
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}`, 'user-agent': USER_AGENT },
    body: { query, variables },
    signal,
  }).catch(explainNetworkError);
  const body = parseObject(answer.text);
  const [refusal] = Array.isArray(body?.errors) ? body.errors.filter(isRecord) : [];
  const extensions = isRecord(refusal?.extensions) ? refusal.extensions : {};
  const isOver = answer.status === 401 || readText(extensions.code) === 'UNAUTHENTICATED';
  if (isOver) throw createFailure('The session has ended.', { hints: ['Log in again: courant login'] });
  if (refusal !== undefined && answer.status < 500) {
    throw createFailure(readText(refusal.message) ?? 'The server refused the question.');
  }
  if (answer.status < 200 || answer.status > 299) throw describeRefusal(answer, { url: endpoint.graphqlUrl });
  if (isRecord(body?.data)) return body.data;
  throw createFailure(`${endpoint.graphqlUrl} answered ${answer.status}, but not as a Courant server does.`, {
    hints: ['Is the endpoint the GraphQL address of a Courant server? See --endpoint.'],
  });
}
