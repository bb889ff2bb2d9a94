/** The version of this release, read from the package at build time. */
import manifest from './package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
export const USER_AGENT = `courant-cli/${VERSION}`;
