/** What a document may be, as far as the command line checks it before reading. */

/** In characters. Search engines cut descriptions before that. */
export const MAX_SUBTITLE = 200;
