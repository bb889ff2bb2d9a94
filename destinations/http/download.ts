/** Downloads a file that a document names. Bounded, and guarded again at every redirect. */
import { exchange, type HttpContext } from './exchange.ts';

/** Storage services redirect once or twice; more is a loop. */
const MAX_REDIRECTS = 4;

export type Download =
  | { kind: 'file'; bytes: Uint8Array; contentType: string }
  /** `reason` is part of a sentence for the author: "it returns HTTP 404". */
  | { kind: 'failed'; reason: string };

/** `context.timeoutMs` covers all hops. Never throws for errors of a network or a server. */
export async function download(address: string, context: HttpContext & { maxBytes: number }): Promise<Download> {
  let url = address;
  const deadline = performance.now() + context.timeoutMs;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) return fail('it did not respond in time');
    const ended = await exchange(
      { method: 'GET', url, maxBytes: context.maxBytes, headers: { accept: '*/*' } },
      { ...context, timeoutMs },
    );
    if (ended.kind === 'redirect') {
      if (ended.location === null || !URL.canParse(ended.location, url)) return fail('it redirects without an address');
      url = new URL(ended.location, url).href;
    } else if (ended.kind === 'answer') {
      if (ended.status !== 200) return fail(`it returns HTTP ${ended.status}`);
      const [contentType = ''] = (ended.headers['content-type'] ?? '').split(';');
      return { kind: 'file', bytes: ended.bytes, contentType: contentType.trim().toLowerCase() };
    } else if (ended.kind === 'tooLarge') {
      return fail(`it is larger than ${Math.floor(context.maxBytes / 1024 / 1024)} MiB`);
    } else if (ended.kind === 'refusedAddress') {
      return fail(ended.cause.replace(/^The /, 'the ').replace(/\.$/, ''));
    } else {
      return fail(ended.kind === 'damagedCredential' ? 'its address cannot be requested' : ended.cause);
    }
  }
  return fail('it redirects too many times');
}

function fail(reason: string): Download {
  return { kind: 'failed', reason };
}
