/**
 * Gives back what past work has left behind. V8 looks for garbage while something allocates, and whoever has nothing to do keeps what there is: a start
 * alone leaves 20 MB, and in some runs V8 looks once more by itself and in others not.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `usual`: one collection of some 80 ms in the API, after which V8 gives back the rest in small steps. `thorough`: all at once, two or three times as
 * long, and with what it keeps of compiled code for later.
 */
export type Thoroughness = 'usual' | 'thorough';

/** Stops the thread that calls it. Must not be called while somebody waits for that thread. */
export async function collectGarbage(thoroughness: Thoroughness): Promise<void> {
  await findCollector()?.({
    type: 'major',
    // In a turn of its own: what is on the stack of this one would be kept.
    execution: 'async',
    flavor: thoroughness === 'thorough' ? 'last-resort' : 'regular',
  });
}

/**
 * Undefined where V8 has none. Not by a flag of the command line, which each way to start us would have to know, and with which V8 refuses the code that
 * is kept from processes without it.
 */
function findCollector(): NodeJS.GCFunction | undefined {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('globalThis.gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
