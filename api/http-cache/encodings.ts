/** Chooses a content coding (RFC 9110, 12.5.3) and compresses bodies, in Node's thread pool. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type Coding = 'identity' | 'br' | 'zstd' | 'gzip';

/** Compressing a smaller body saves no packet. */
const MIN_COMPRESSED_BYTES = 1_024;
const TEXT = /^(text\/|application\/([\w.+-]+\+)?(json|xml)\b|image\/svg\+xml)/;
/** Order among codings of equal weight. */
const PREFERENCE = ['br', 'zstd', 'gzip'] as const;

const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const compressGzip = promisify(gzip);

export function isWorthCompressing(type: string, body: Buffer): boolean {
  return body.length >= MIN_COMPRESSED_BYTES && TEXT.test(type);
}

/** Uses slower levels than a proxy, which compresses each response: these bodies are sent often. */
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
      return compressGzip(body);
  }
}

/** Without the header nothing is compressed. If it accepts nothing, the body is sent plain. */
export function chooseCoding(header = 'identity'): Coding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : readWeight(weight));
  }
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: Coding = 'identity';
  // The plain body has the lowest priority unless the header names `identity`.
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of PREFERENCE) {
    const weight = weigh(coding);
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === 'identity'))
      [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** A malformed weight counts as 0. */
function readWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
