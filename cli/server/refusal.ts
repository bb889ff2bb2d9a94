/** Converts a rejection of the server to a failure with a reason and a hint. */
import type { Problem } from '../../article/types.ts';
import { maskToken } from '../credentials/token.ts';
import { createFailure, createInputFailure, type Failure } from '../failure.ts';
import type { CliHttpResponse } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { formatSeconds, readRetryAfter } from './retry.ts';

export interface RejectedRequest {
  url: string;
  /** Set if a developer token was sent. */
  token?: { token: string; source: string };
}

/** The failure for a response other than 2xx. Exit code 2 if the document is rejected, else 1. */
export function createResponseFailure(response: CliHttpResponse, request: RejectedRequest): Failure {
  const problem = readProblem(response);
  const details = {
    problems: problem?.errors ?? [],
    hints: findHints(response, request),
    server: { status: response.status, code: problem?.code, requestId: problem?.requestId },
  };
  const message = describeRejection(response, problem);
  return response.status === 422 || response.status === 413
    ? createInputFailure(message, details)
    : createFailure(message, details);
}

interface ProblemDocument {
  title: string | undefined;
  detail: string | undefined;
  code: string | undefined;
  requestId: string | undefined;
  errors: Problem[];
}

/** Reads RFC 9457 details; servers of other versions may omit fields. */
function readProblem(response: CliHttpResponse): ProblemDocument | null {
  const body = parseObject(response.text);
  if (body === null) return null;
  const title = readText(body.title);
  const detail = readText(body.detail) ?? readText(body.message);
  const errors = Array.isArray(body.errors) ? body.errors.flatMap(readError) : [];
  if (title === undefined && detail === undefined && errors.length === 0) return null;
  return {
    title,
    detail,
    code: readText(body.code),
    requestId: readText(body.requestId),
    errors,
  };
}

function readError(value: unknown): Problem[] {
  if (typeof value === 'string') return [{ path: '', message: value }];
  if (!isRecord(value)) return [];
  const message = readText(value.message) ?? readText(value.detail);
  if (message === undefined) return [];
  const { line, column } = value;
  return [
    {
      path: readText(value.path) ?? '',
      message,
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof column === 'number' ? { column } : {}),
    },
  ];
}

/** `The server returned 422 (Unprocessable Content): 2 fields are not valid.` */
function describeRejection(response: CliHttpResponse, problem: ProblemDocument | null): string {
  const name = problem?.title ?? response.statusText;
  const status = `The server returned ${response.status}${name === '' ? '' : ` (${name})`}`;
  if (problem === null) return `${status}: ${describeForeignResponse(response)}`;
  return problem.detail === undefined ? `${status}.` : `${status}: ${endSentence(problem.detail)}`;
}

/** For a response that may come from a proxy or another server. */
function describeForeignResponse(response: CliHttpResponse): string {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() || 'no content type';
  if (response.text.trim() === '') return 'no reason (empty body).';
  if (/^text\/plain$/i.test(type)) return response.text.trim().slice(0, 300);
  return `no readable reason (${type}). The response may come from a proxy.`;
}

function findHints(response: CliHttpResponse, request: RejectedRequest): string[] {
  const { status } = response;
  const wait = readRetryAfter(response.headers, Date.now());
  const token = request.token === undefined ? '' : ` (${maskToken(request.token.token)}, from ${request.token.source})`;
  if (status >= 300 && status < 400) {
    const location = response.headers.get('location') ?? 'an unknown address';
    return [
      `It redirects to ${location}. A token is not sent after a redirect: set the correct address with --endpoint.`,
    ];
  }
  if (status === 401)
    return [`The token${token} is unknown, expired or revoked. Create a new one on the settings page.`];
  if (status === 404 || status === 405) return [`Is ${request.url} an address of a Courant server? See --endpoint.`];
  if (status === 429 && wait !== null) return [`Try again in ${formatSeconds(wait)}.`];
  if (status >= 500) {
    return [wait === null ? 'Try again later. Nothing is published twice.' : `Try again in ${formatSeconds(wait)}.`];
  }
  return [];
}

function endSentence(part: string): string {
  return /[.!?]$/.test(part.trim()) ? part.trim() : `${part.trim()}.`;
}
