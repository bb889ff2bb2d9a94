/**
 * Counts the changes after which a draft has another page or description: raise it with each. What an older version derived is derived again
 * by a sweep. A file of its own, so that who only compares versions does not load the renderer.
 */
export const DERIVED_VERSION = 2;
