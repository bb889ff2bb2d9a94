import { stringify } from 'yaml';

const OPTIONS = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;

/**
 * Writes YAML between fences, without a line end. Strings are quoted and on one line, so that an
 * author's text cannot add a field. Leaves out null and empty lists.
 */
export function writeFrontmatter(fields: Record<string, unknown>): string {
  const filled = Object.entries(fields).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return `---\n${stringify(Object.fromEntries(filled), OPTIONS)}---`;
}
