/** Sends GraphQL requests, with the access token of a session or without. */
import { Failure } from '../failure.ts';
import { type Endpoint, refuseClearText } from './endpoint.ts';
import { type CliHttpResponse, createForeignFailure, postJson } from './http.ts';
import { isRecord, listRecords, parseObject, readText } from './json.ts';
import { createResponseFailure, endSentence } from './refusal.ts';
import { postWithRetries, type RetryOptions } from './retry.ts';

export interface GraphqlServer {
  endpoint: Endpoint;
  allowHttp: boolean;
  signal: AbortSignal;
  onWait: RetryOptions['onWait'];
}

export interface GraphqlRequest extends GraphqlServer {
  /** Absent for requests without a session: opening or refreshing one. */
  accessToken?: string;
  query: string;
  variables: Record<string, unknown>;
  /**
   * True if sending the request twice has no further effect: it is then retried after a failure.
   * Queries always are.
   */
  isRepeatable?: boolean;
  timeoutMs?: number;
  lastTryMs?: number;
}

/** The server processed the request and rejected it. */
export class GraphqlRejection extends Failure {
  /** Stable; undefined if the server sent none. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(1, message);
    this.code = code;
  }
}

/**
 * Returns the data of the response. Throws `GraphqlRejection` for a rejection, and `Failure` if no
 * Courant server responded.
 */
export async function postGraphql(request: GraphqlRequest): Promise<Record<string, unknown>> {
  const { endpoint, accessToken, query, variables, signal, timeoutMs } = request;
  refuseClearText(endpoint, request);
  const headers = {
    accept: 'application/json',
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
  const exchange = { url: endpoint.graphqlUrl, headers, body: { query, variables }, signal, timeoutMs };
  const isRepeatable = request.isRepeatable ?? query.startsWith('query');
  return readData(await (isRepeatable ? postWithRetries(exchange, request) : postJson(exchange)), endpoint.graphqlUrl);
}

function readData(response: CliHttpResponse, url: string): Record<string, unknown> {
  const body = parseObject(response.text);
  // An ended session is rejected before GraphQL is parsed.
  if (response.status === 401 && body !== null) {
    throw new GraphqlRejection(readText(body.detail) ?? 'The session has ended.', 'UNAUTHENTICATED');
  }
  // A GraphQL server may reject with 200 or 4xx; `errors` holds the reason in both cases.
  const rejections = listRecords(body?.errors);
  if (rejections.length > 0 && response.status < 500) {
    const extensions = isRecord(rejections[0]?.extensions) ? rejections[0].extensions : {};
    const sentences = rejections.flatMap(({ message }) => readText(message) ?? []).map(endSentence);
    const message = sentences.join(' ') || 'The server rejected the request without a reason.';
    throw new GraphqlRejection(message, readText(extensions.code));
  }
  if (response.status < 200 || response.status > 299) throw createResponseFailure(response, { url });
  if (isRecord(body?.data)) return body.data;
  throw createForeignFailure(url, response);
}
