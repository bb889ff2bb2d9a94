/** Reads `cross_post`: one flag for each destination, where the author's choice replaces the default. */
import { DESTINATION_KEYS, type DestinationKey, type Notice } from '../types.ts';
import type { FieldReader } from './field-reader.ts';

/** Defaults of the specification (2.2). */
const DEFAULTS: Record<DestinationKey, boolean> = {
  blogsite_a: true,
  blogsite_b: true,
  blogsite_c: false,
  cms_site: false,
  social_feed: false,
};

export interface CrossPost {
  flags: Record<DestinationKey, boolean>;
  /** Destinations that the author turned on by name. */
  named: DestinationKey[];
}

export function readCrossPost(reader: FieldReader, warnings: Notice[]): CrossPost {
  const flags = { ...DEFAULTS };
  const named: DestinationKey[] = [];
  for (const [name, isOn, node] of reader.flags('cross_post')) {
    const key = DESTINATION_KEYS.find((candidate) => candidate === name);
    if (key === undefined) {
      const message = `"${name.slice(0, 60)}" is not a destination; nothing is sent there. Destinations are ${DESTINATION_KEYS.join(', ')}.`;
      warnings.push({
        code: 'destination_not_accepted',
        path: `cross_post.${name.slice(0, 60)}`,
        message,
        ...node.place,
      });
      continue;
    }
    flags[key] = isOn;
    if (isOn) named.push(key);
  }
  return { flags, named };
}
