/** Limits of a document that the command line checks itself. */

/** In characters. Search engines cut longer descriptions. */
export const MAX_SUBTITLE = 200;
