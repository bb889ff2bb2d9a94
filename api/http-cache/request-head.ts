/** What HTTP asks of the head of a request and Node's parser lets pass: two readers on its way might read it in two ways. */
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../plugins/errors/problem.ts';

/** Null if nothing is wrong with it. Every request is asked, also one whose answer is kept. */
export function findFault(request: IncomingMessage): ProblemError | null {
  return findHostFault(request) ?? findCodingFault(request);
}

/** RFC 9112 §3.2: exactly one, but for HTTP/1.0, which had none. `headers.host` is the first of several, so they are counted as they came. */
function findHostFault({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): ProblemError | null {
  if (host === undefined) return httpVersion === '1.0' ? null : refuseHost('The request has no Host header.');
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return refuseHost('The request has more than one Host header.');
  return HOST.test(host) ? null : refuseHost('The Host header of the request is no host.');
}

/** RFC 3986 §3.2.2 and a port; it may be empty (RFC 9112 §3.2), as some balancers send it to see whether we live. */
const HOST = /^(?:\[[\da-f:.v~%_-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

function refuseHost(detail: string): ProblemError {
  return new ProblemError(400, 'bad_host', detail);
}

/** RFC 9112 §6.1. Node reads the pieces and leaves what is in them as it is. */
function findCodingFault({ headers, httpVersion }: IncomingMessage): ProblemError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return new ProblemError(400, 'bad_request', 'HTTP/1.0 has no Transfer-Encoding.');
  // Where the pieces are not what it ends with, the parser refuses it.
  if (!/,[ \t]*chunked$/i.test(coding)) return null;
  const detail = 'Of transfer codings only chunked is understood.';
  return new ProblemError(501, 'unknown_transfer_coding', detail);
}
