/** One change to a frontmatter, whichever language it is written in. */

export type FieldChange =
  | { kind: 'value'; key: string; value: string | boolean | string[] }
  /** Flags of a mapping; those that are not named stay. */
  | { kind: 'flags'; key: string; flags: [string, boolean][] };
