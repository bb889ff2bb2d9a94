/**
 * Returns unused memory to the system. V8 collects garbage only during allocation, so an idle
 * process retains it: 20 MB after a start. Only in some runs does V8 start a collection by itself.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `usual`: one collection of about 80 ms in the API; V8 then releases the rest in small steps.
 * `thorough`: releases everything at once, including cached code; takes two to three times as long.
 */
export type Thoroughness = 'usual' | 'thorough';

/** Blocks the calling thread. Do not call it while a request needs that thread. */
export async function collectGarbage(thoroughness: Thoroughness): Promise<void> {
  await findCollector()?.({
    type: 'major',
    // Runs in a separate task, because the stack of this one would keep objects alive.
    execution: 'async',
    flavor: thoroughness === 'thorough' ? 'last-resort' : 'regular',
  });
}

/**
 * Returns undefined if V8 has no collector. Does not use a command line flag: every start script
 * would need it, and V8 rejects cached code of processes with other flags.
 */
function findCollector(): NodeJS.GCFunction | undefined {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('globalThis.gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
