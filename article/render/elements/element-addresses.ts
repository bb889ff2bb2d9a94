/** Normalises addresses for the sanitiser, which distinguishes `HTTPS:` from `https:`. */
import type { Properties } from 'hast';

const ADDRESSES = ['href', 'src', 'cite'];
/** As in browsers, blanks and control characters around an address are not part of it. */
const AROUND = /^[\0- ]+|[\0- ]+$/g;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Writes all schemes in lower case. The sanitiser decides which are allowed. */
export function normaliseSchemes(properties: Properties): void {
  for (const name of ADDRESSES) {
    const address = properties[name];
    if (typeof address !== 'string') continue;
    properties[name] = address.replace(AROUND, '').replace(SCHEME, (scheme) => scheme.toLowerCase());
  }
}
