/**
 * Version of the rules for pages, descriptions and search words. Increment it with each change of
 * them: a sweep then derives articles of older versions again. A separate file, so that code that
 * only compares versions does not load the renderer.
 */
export const DERIVED_VERSION = 10;
