/** The longest document that is taken, in bytes of UTF-8: by the server, by the command line before it sends one, and by an import. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
