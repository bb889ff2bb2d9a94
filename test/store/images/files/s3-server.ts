/**
 * A strict S3 server with one bucket. Checks every signature (AWS Signature Version 4) by the
 * specification, the hash of every body, and the time.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  url: string;
  objects: Map<string, { bytes: Buffer; type: string | undefined }>;
  /** Status codes for the next requests, instead of their responses. */
  faults: number[];
  /** `PUT courant-check 24`: method, key and size. */
  requests: string[];
  close(): Promise<void>;
}

export const S3_KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the+secret/of=the-tests' };
export const S3_REGION = 'eu-test-1';
const BUCKET = '/pictures/';

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const faults: number[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const bytes = await buffer(request);
    const fault = faults.shift();
    if (fault !== undefined) return refuse(fault, 'SlowDown');
    const wrong = findFault(request, bytes);
    if (wrong !== null) return refuse(403, wrong);
    const { pathname } = new URL(request.url ?? '', 'http://s3');
    if (!pathname.startsWith(BUCKET)) return refuse(404, 'NoSuchBucket');
    const key = decodeURIComponent(pathname.slice(BUCKET.length));
    requests.push(`${request.method} ${key} ${bytes.length}`);
    if (request.method === 'PUT') {
      objects.set(key, { bytes, type: request.headers['content-type'] });
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (!found) return refuse(404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': found.bytes.length });
    return response.end(request.method === 'HEAD' ? undefined : found.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BUCKET.slice(0, -1)}`;
  return { url, objects, faults, requests, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Returns the error code of S3, or null. */
function findFault(request: IncomingMessage, bytes: Buffer): string | null {
  const { headers, method = '' } = request;
  const [, key, day, region, signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (key !== S3_KEY.accessKeyId) return 'InvalidAccessKeyId';
  const names = signed.split(';');
  const at = String(headers['x-amz-date']);
  if (!names.includes('host') || !names.includes('x-amz-date') || !at.startsWith(`${day}T`)) return 'AccessDenied';
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(time - Date.now()) < 15 * 60_000)) return 'RequestTimeTooSkewed';
  if (region !== S3_REGION) return 'AuthorizationHeaderMalformed';
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(bytes)) return 'XAmzContentSHA256Mismatch';
  const url = new URL(request.url ?? '', 'http://s3');
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, url.pathname, url.searchParams.toString(), lines, signed, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const signingKey = [day ?? '', region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${S3_KEY.secretAccessKey}`,
  );
  const expected = hmac(signingKey, text);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
