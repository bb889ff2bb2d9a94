/** Maximum size of a document in bytes of UTF-8, for the server, the command line and imports. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
