/**
 * Increment it with each change of the rules for pages, descriptions and search words: a sweep
 * derives older articles again. Apart, so that comparing versions loads no renderer.
 */
export const DERIVED_VERSION = 10;
