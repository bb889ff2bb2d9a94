/** Which release this is: the version of the package, taken in when the program is built. */
import manifest from './package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
export const USER_AGENT = `courant-cli/${VERSION}`;
