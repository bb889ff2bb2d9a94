/** ASCII text, controls included. Patterns replace the slower Unicode rules for it. */
export const ASCII = /^[\0-\x7f]*$/;
