/** Reads untrusted JSON. */
import type { Notice } from '../../article/types.ts';

/** Returns the object of a JSON text, or null for anything else. */
export function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none for anything else. */
export function listRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the value if it is a string that is not blank, else undefined. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export type Finding = Partial<Notice> & Pick<Notice, 'message'>;

/** Reads warnings or problems of a document. Ignores malformed ones and unknown fields. */
export function readFindings(value: unknown): Finding[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown) => {
    const { message, ...fields } = isRecord(entry) ? entry : { message: entry };
    const known = Object.entries(fields).filter(([name, field]) => typeof field === FIELD_TYPES[name]);
    return readText(message) === undefined ? [] : [{ ...Object.fromEntries(known), message } as Finding];
  });
}

const FIELD_TYPES: Record<string, string> = {
  ...{ code: 'string', path: 'string', line: 'number', column: 'number', destination: 'string' },
};
