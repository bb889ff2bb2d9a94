/** Sends GraphQL requests, with the access token of a session or without. */
import { Failure } from '../failure.ts';
import { USER_AGENT } from '../version.ts';
import { type Endpoint, refuseClearText } from './endpoint.ts';
import { type CliHttpResponse, postJson } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { explainNetworkError } from './publish-article.ts';
import { createResponseFailure } from './refusal.ts';
import { sendWithRetries } from './retry.ts';

export interface GraphqlRequest {
  endpoint: Endpoint;
  /** Absent for requests without a session: opening or refreshing one. */
  accessToken?: string;
  query: string;
  variables: Record<string, unknown>;
  /**
   * True if sending the request twice has no further effect: it is then retried after a failure.
   */
  isRepeatable: boolean;
  allowHttp: boolean;
  signal: AbortSignal;
  onWait?: (sentence: string) => void;
  /** Limit of one response; 30 s by default. */
  timeoutMs?: number;
  /** See `RetryOptions`. */
  lastTryMs?: number;
}

/** The server processed the request and rejected it. */
export class GraphqlRejection extends Failure {
  /** Stable; undefined if the server sent none. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(1, message);
    this.name = 'GraphqlRejection';
    this.code = code;
  }
}

/**
 * Returns the data of the response. Throws `GraphqlRejection` for a rejection, and `Failure` if no
 * Courant server responded.
 */
export async function postGraphql(request: GraphqlRequest): Promise<Record<string, unknown>> {
  const { endpoint, accessToken, query, variables, signal, timeoutMs, lastTryMs, onWait = () => undefined } = request;
  refuseClearText(endpoint, request);
  const headers = {
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
  const exchange = { url: endpoint.graphqlUrl, headers, body: { query, variables }, signal };
  const send = () => postJson({ ...exchange, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const retryOptions = { signal, onWait, ...(lastTryMs === undefined ? {} : { lastTryMs }) };
  const sent = request.isRepeatable ? sendWithRetries(send, retryOptions) : send();
  return readData(await sent.catch(explainNetworkError), endpoint);
}

function readData(response: CliHttpResponse, endpoint: Endpoint): Record<string, unknown> {
  const body = parseObject(response.text);
  // An ended session is rejected before GraphQL is parsed.
  if (response.status === 401 && body !== null) {
    throw new GraphqlRejection(readText(body.detail) ?? 'The session has ended.', 'UNAUTHENTICATED');
  }
  // A GraphQL server may reject with 200 or 4xx; `errors` holds the reason in both cases.
  const rejections = Array.isArray(body?.errors) ? body.errors.filter(isRecord) : [];
  if (rejections.length > 0 && response.status < 500) {
    const extensions = isRecord(rejections[0]?.extensions) ? rejections[0].extensions : {};
    const message = rejections.flatMap(readMessage).join(' ') || 'The server rejected the request without a reason.';
    throw new GraphqlRejection(message, readText(extensions.code));
  }
  if (response.status < 200 || response.status > 299)
    throw createResponseFailure(response, { url: endpoint.graphqlUrl });
  if (isRecord(body?.data)) return body.data;
  throw createForeignGraphqlFailure(response, endpoint);
}

/** For a response without the expected data. */
function createForeignGraphqlFailure(
  { status, headers }: Pick<CliHttpResponse, 'status' | 'headers'>,
  endpoint: Endpoint,
): Failure {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  return new Failure(
    1,
    `${endpoint.graphqlUrl} returned ${status} (${type}), which is not a response of a Courant server.`,
    {
      hints: ['Is the endpoint the GraphQL address of a Courant server? See --endpoint.'],
    },
  );
}

function readMessage({ message }: Record<string, unknown>): string[] {
  const text = readText(message);
  return text === undefined ? [] : [/[.!?]$/.test(text) ? text : `${text}.`];
}
