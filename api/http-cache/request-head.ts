/**
 * Rejects request heads that Node's parser accepts although HTTP forbids them: a proxy and this
 * server may interpret them differently.
 */
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../plugins/errors/problem.ts';

/** Returns null for a valid request. Runs for every request, also before a cached response. */
export function findRequestHeadProblem(request: IncomingMessage): ProblemError | null {
  return findHostProblem(request) ?? findTransferCodingProblem(request);
}

/**
 * RFC 9112 §3.2: exactly one Host header, optional in HTTP/1.0. `headers.host` has only the first
 * of several, so the raw headers are counted.
 */
function findHostProblem({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): ProblemError | null {
  if (host === undefined) return httpVersion === '1.0' ? null : refuseHost('The request has no Host header.');
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return refuseHost('The request has more than one Host header.');
  return HOST.test(host) ? null : refuseHost('The Host header of the request is not a valid host.');
}

/**
 * RFC 3986 §3.2.2 and an optional port. May be empty (RFC 9112 §3.2): some load balancers send an
 * empty Host in their health checks.
 */
const HOST = /^(?:\[[\da-f:.v~%_-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

function refuseHost(detail: string): ProblemError {
  return new ProblemError(400, 'bad_host', detail);
}

/** RFC 9112 §6.1. Node decodes `chunked`, but leaves other codings inside it undecoded. */
function findTransferCodingProblem({ headers, httpVersion }: IncomingMessage): ProblemError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0')
    return new ProblemError(400, 'bad_request', 'HTTP/1.0 does not support Transfer-Encoding.');
  // If `chunked` is not the last coding, the parser rejects the request.
  if (!/,[ \t]*chunked$/i.test(coding)) return null;
  const detail = 'The only supported transfer coding is chunked.';
  return new ProblemError(501, 'unknown_transfer_coding', detail);
}
