/** Web addresses as platforms take them: of covers, images, links and canonical URLs. */

/** The address of an article's cover; null where it has none, or none that can be fetched from elsewhere. */
export function readCover({ coverImage }: { coverImage: string | null }): string | null {
  return coverImage !== null && isWebAddress(coverImage) ? coverImage : null;
}

/** True for an absolute http(s) URL without white space. */
export function isWebAddress(address: string): boolean {
  return !/\s/.test(address) && readWebAddress(address) !== null;
}

/** The URL where it is an http(s) one. Not `URL.parse`: formats are part of the CLI too, which runs on Node 20. */
export function readWebAddress(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}
