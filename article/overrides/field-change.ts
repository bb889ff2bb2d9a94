/** One change to a frontmatter, the same for YAML and TOML. */

export type FieldChange =
  | { kind: 'value'; key: string; value: string | boolean | string[] }
  /** Flags of a mapping. Those not named here stay as they are. */
  | { kind: 'flags'; key: string; flags: [string, boolean][] };
