/** What a process holds of the machine's memory, by the kernel's count. On Linux only. */
import { readFileSync } from 'node:fs';

/** MB. */
export interface Held {
  /** All that it sees, the 65 MB of Node's own program included, which every process with this Node has in common. */
  resident: number;
  /** The same, where of what several have in common each counts its part (PSS): what the machine needs is the sum of these. */
  share: number;
  /** What nobody else has: what would be free without it. */
  own: number;
}

export function readHeld(pid: number): Held {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return {
    resident: Math.round(read('Rss')),
    share: Math.round(read('Pss')),
    own: Math.round(read('Private_Clean') + read('Private_Dirty')),
  };
}
