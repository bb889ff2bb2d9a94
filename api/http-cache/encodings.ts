/** Content codings: which one a client wants (RFC 9110, 12.5.3), and the body in it. Compressing runs in Node's thread pool. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type Coding = 'identity' | 'br' | 'zstd' | 'gzip';

/** Below, a compressed body saves no packet. */
const WORTHWHILE_BYTES = 1_024;
const TEXT = /^(text\/|application\/([\w.+-]+\+)?(json|xml)\b|image\/svg\+xml)/;
/** Of those that a client likes best, the first. Made once and sent often: a little slower than a proxy's, which compresses each time. */
const PREFERENCE = ['br', 'zstd', 'gzip'] as const;

const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const zip = promisify(gzip);

export function isWorthCompressing(type: string, body: Buffer): boolean {
  return body.length >= WORTHWHILE_BYTES && TEXT.test(type);
}

export function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  switch (coding) {
    case 'br': {
      const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants;
      const params = {
        [BROTLI_PARAM_QUALITY]: 6,
        [BROTLI_PARAM_SIZE_HINT]: body.length,
        [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
      };
      return brotli(body, { params });
    }
    case 'zstd':
      return zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 9 } });
    case 'gzip':
      return zip(body, { level: 6 });
  }
}

/** Clients send few different headers; whoever sends many costs no memory. */
const KNOWN = 200;
const known = new Map<string, Coding>();

/** Without the header nothing is compressed: who can read more says so. Where nothing is acceptable the plain body is, rather than none. */
export function chooseCoding(header: string | undefined): Coding {
  if (header === undefined || header.length > KNOWN) return header === undefined ? 'identity' : choose(header);
  const before = known.get(header);
  if (before) return before;
  const chosen = choose(header);
  if (known.size >= KNOWN) known.clear();
  known.set(header, chosen);
  return chosen;
}

function choose(header: string): Coding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : readWeight(weight));
  }
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: Coding = 'identity';
  // Unless it is named, the plain body comes last.
  let most = weights.get('identity') ?? 0;
  for (const coding of PREFERENCE) {
    const weight = weigh(coding);
    if (weight > most || (weight === most && weight > 0 && best === 'identity')) [best, most] = [coding, weight];
  }
  return best;
}

/** What is no weight is none. */
function readWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
