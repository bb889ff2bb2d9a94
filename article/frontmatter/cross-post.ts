/** Reads `cross_post`: one flag per destination. The author's choice replaces the default. */
import { DESTINATION_KEYS, type DestinationKey, type Notice, type NoticeCode } from '../types.ts';
import { foldName, showName } from './field-names.ts';
import type { FieldReader } from './field-reader.ts';

const DEFAULTS: Record<DestinationKey, boolean> = {
  blogsite_a: true,
  blogsite_b: true,
  blogsite_c: false,
  cms_site: false,
  social_feed: false,
};

export interface CrossPost {
  flags: Record<DestinationKey, boolean>;
  named: DestinationKey[];
}

/** Ignores the case of names. Of two spellings the exact one counts, else the first. */
export function readCrossPost(reader: FieldReader, warnings: Notice[]): CrossPost {
  const chosen = new Map<DestinationKey, { name: string; isOn: boolean }>();
  for (const [name, isOn, node] of reader.flags('cross_post')) {
    const key = DESTINATION_KEYS.find((candidate) => foldName(candidate) === foldName(name));
    const shown = showName(name);
    const warn = (code: NoticeCode, message: string): void => {
      warnings.push({ code, path: `cross_post.${shown}`, message, ...node.place });
    };
    if (key === undefined) {
      const known = DESTINATION_KEYS.join(', ');
      warn(
        'destination_not_accepted',
        `"${shown}" is not a destination, so nothing is sent there. The destinations are ${known}.`,
      );
      continue;
    }
    const earlier = chosen.get(key);
    if (earlier === undefined || name === key) chosen.set(key, { name, isOn });
    if (earlier !== undefined) {
      const usedName = showName(chosen.get(key)?.name ?? name);
      warn('key_given_twice', `"${shown}" and "${showName(earlier.name)}" are the same key; "${usedName}" is used.`);
    }
  }
  const flags = { ...DEFAULTS };
  for (const [key, { isOn }] of chosen) flags[key] = isOn;
  return { flags, named: [...chosen].flatMap(([key, { isOn }]) => (isOn ? [key] : [])) };
}
