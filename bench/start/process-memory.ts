/** Reads the memory of a process from the kernel. Linux only. */
import { readFileSync } from 'node:fs';

/** MB. */
export interface ProcessMemory {
  /** All resident memory, including the 65 MB of the Node program that all processes share. */
  resident: number;
  /**
   * Proportional memory (PSS): shared pages are divided by their users. The sum is the memory that
   * the machine needs.
   */
  share: number;
  /** Private memory, which the end of the process would free. */
  privateMb: number;
}

export function readProcessMemory(pid: number): ProcessMemory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return {
    resident: Math.round(read('Rss')),
    share: Math.round(read('Pss')),
    privateMb: Math.round(read('Private_Clean') + read('Private_Dirty')),
  };
}
