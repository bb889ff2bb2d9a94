/** Writes the addresses of an element as the sanitiser compares them, which takes `HTTPS:` for another scheme than `https:`. */
import type { Properties } from 'hast';

const ADDRESSES = ['href', 'src', 'cite'];
/** As browsers do: blanks and control characters around an address are not part of it. */
const AROUND = /^[\0- ]+|[\0- ]+$/g;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Schemes become lower case, the forbidden ones too; which of them are allowed is for the sanitiser to say. */
export function normaliseSchemes(properties: Properties): void {
  for (const name of ADDRESSES) {
    const address = properties[name];
    if (typeof address !== 'string') continue;
    properties[name] = address.replace(AROUND, '').replace(SCHEME, (scheme) => scheme.toLowerCase());
  }
}
