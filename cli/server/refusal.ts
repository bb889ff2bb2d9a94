/** Converts a rejection of the server to a failure with a reason and a hint. */
import { maskToken } from '../credentials/token.ts';
import { EXIT, Failure } from '../failure.ts';
import type { CliHttpResponse } from './http.ts';
import { parseObject, readFindings, readText } from './json.ts';
import { formatSeconds, readRetryAfter } from './retry.ts';

export interface RejectedRequest {
  url: string;
  /** Set if a developer token was sent. */
  token?: { token: string; source: string };
}

/** The failure for a response other than 2xx. Exit code 2 if the document is rejected, else 1. */
export function createResponseFailure(response: CliHttpResponse, request: RejectedRequest): Failure {
  const { status } = response;
  const body = parseObject(response.text) ?? {};
  const [title, detail, code, requestId] = [body.title, body.detail, body.code, body.requestId].map(readText);
  const problems = readFindings(body.errors).map(({ code: _, destination: __, ...error }) => ({ path: '', ...error }));
  const name = title ?? response.statusText;
  const isProblem = title !== undefined || detail !== undefined || problems.length > 0;
  const reason = isProblem ? detail : describeForeignResponse(response);
  const message = `The server returned ${status}${name === '' ? '' : ` (${name})`}${reason === undefined ? '.' : `: ${endSentence(reason)}`}`;
  return new Failure(status === 422 || status === 413 ? EXIT.invalid : EXIT.failed, message, {
    problems,
    hints: findHints(response, request),
    server: { status, code, requestId },
  });
}

/** For a response that may come from a proxy or another server. */
function describeForeignResponse({ headers, text }: CliHttpResponse): string {
  const type = headers.get('content-type')?.split(';')[0]?.trim() || 'no content type';
  if (text.trim() === '') return 'no reason (empty body).';
  if (/^text\/plain$/i.test(type)) return text.slice(0, 300);
  return `no readable reason (${type}). The response may come from a proxy.`;
}

function findHints({ status, headers }: CliHttpResponse, { url, token }: RejectedRequest): string[] {
  const wait = readRetryAfter(headers, Date.now());
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? 'an unknown address';
    return [
      `It redirects to ${location}. A token is not sent after a redirect: set the correct address with --endpoint.`,
    ];
  }
  if (status === 401) {
    const name = token === undefined ? '' : ` (${maskToken(token.token)}, from ${token.source})`;
    return [`The token${name} is unknown, expired or revoked. Create a new one on the settings page.`];
  }
  if (status === 404 || status === 405) return [`Is ${url} an address of a Courant server? See --endpoint.`];
  if (wait !== null && (status === 429 || status >= 500)) return [`Try again in ${formatSeconds(wait)}.`];
  return status >= 500 ? ['Try again later. Nothing is published twice.'] : [];
}

export function endSentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
