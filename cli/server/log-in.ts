/** Logs in a person over GraphQL: e-mail and password for a session token. Publishing does not need a session. */
import { createFailure } from '../failure.ts';
import { USER_AGENT } from '../version.ts';
import { type Endpoint, refuseClearText } from './endpoint.ts';
import { type Answer, postJson } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { explainNetworkError } from './publish-article.ts';
import { describeRefusal } from './refusal.ts';

export interface LoginRequest {
  endpoint: Endpoint;
  email: string;
  password: string;
  allowHttp: boolean;
  signal: AbortSignal;
}

/** The access token of the session. If the server refuses, throws with the server's message. */
export async function logInWithPassword(request: LoginRequest): Promise<string> {
  const { endpoint, email, password, signal } = request;
  refuseClearText(endpoint, request);
  const answer = await postJson({
    url: endpoint.graphqlUrl,
    headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    body: { query: LOGIN, operationName: 'Login', variables: { email, password } },
    signal,
  }).catch(explainNetworkError);
  return readAccessToken(answer, endpoint);
}

/** When a JWT expires, or null if it does not say. This does not verify the token; only its server can. */
export function readExpiry(jwt: string): Date | null {
  const claims = parseObject(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const seconds = claims?.exp;
  if (typeof seconds !== 'number') return null;
  const expiry = new Date(seconds * 1_000);
  return Number.isNaN(expiry.getTime()) ? null : expiry;
}

const LOGIN = `mutation Login($email: String!, $password: String!) {
  login(email: $email, password: $password) { accessToken }
}`;

function readAccessToken(answer: Answer, endpoint: Endpoint): string {
  const body = parseObject(answer.text);
  // A GraphQL server may refuse with 200 or with 4xx; either way the reason is in `errors`.
  const refusals = Array.isArray(body?.errors) ? body.errors.flatMap(readMessage) : [];
  if (refusals.length > 0 && answer.status < 500) throw createFailure(`Not logged in: ${refusals.join(' ')}`);
  if (answer.status < 200 || answer.status > 299) throw describeRefusal(answer, { url: endpoint.graphqlUrl });
  const data = isRecord(body?.data) ? body.data : {};
  const token = isRecord(data.login) ? readText(data.login.accessToken) : undefined;
  if (token !== undefined) return token;
  throw createFailure(`${endpoint.graphqlUrl} answered ${answer.status}, but without an access token.`, {
    hints: ['Is the endpoint the GraphQL address of a Courant server? See --endpoint.'],
  });
}

function readMessage(value: unknown): string[] {
  const message = isRecord(value) ? readText(value.message) : undefined;
  return message === undefined ? [] : [/[.!?]$/.test(message) ? message : `${message}.`];
}
