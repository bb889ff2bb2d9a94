/** Writes addresses as Ghost accepts and stores them. */

/** As a URI reference of RFC 3986: Ghost refuses letters beyond ASCII, braces and brackets. */
export function spellAddress(address: string): string {
  const url = new URL(address);
  const path = escapePart(url.pathname);
  const search = url.search === '' ? '' : `?${escapePart(url.search.slice(1))}`;
  const hash = url.hash === '' ? '' : `#${escapePart(url.hash.slice(1))}`;
  return `${url.origin}${path}${search}${hash}`;
}

/** Possible spellings in Ghost's database, which has a placeholder for the site's address. */
export function listStoredSpellings(canonicalUrl: string, siteUrl: string): string[] {
  const spelled = spellAddress(canonicalUrl);
  const url = new URL(spelled);
  const sitePath = (URL.canParse(siteUrl) ? new URL(siteUrl).pathname : '').replace(/\/+$/, '');
  const inside = url.pathname.startsWith(`${sitePath}/`) ? url.pathname.slice(sitePath.length) : url.pathname;
  return [spelled, canonicalUrl, `__GHOST_URL__${inside}${url.search}${url.hash}`].flatMap((spelling) =>
    /[?#]/.test(spelling) ? [spelling] : [spelling, spelling.endsWith('/') ? spelling.slice(0, -1) : `${spelling}/`],
  );
}

function escapePart(part: string): string {
  return part
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));
}
