/** Checks the web addresses of covers, images, links and canonical URLs. */

/** The address of an article's cover. Null if there is none, or none that other hosts can fetch. */
export function readCover({ coverImage }: { coverImage: string | null }): string | null {
  return coverImage !== null && isWebAddress(coverImage) ? coverImage : null;
}

/** True for an absolute http(s) URL without white space. */
export function isWebAddress(address: string): boolean {
  return !/\s/.test(address) && readWebAddress(address) !== null;
}

/** The URL if it is an http(s) one. Not `URL.parse`: the CLI includes formats, on Node 20. */
export function readWebAddress(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}
