/**
 * Counts the changes after which a draft has another page or description, or other words to be found by: raise it with each. What an older
 * version derived is derived again by a sweep. 1 is whatever was derived before there were versions. A file of its own, so that who only
 * compares versions does not load the renderer.
 */
export const DERIVED_VERSION = 9;
