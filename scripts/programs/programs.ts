/**
 * Lists the programs that `npm start` runs from the bundle: processes, the demo, and all threads.
 */

export const PROGRAMS = [
  'api/app/main.ts',
  'worker/main.ts',
  'sandbox/main.ts',
  'scripts/start/demo/demonstrate.ts',
  'api/articles/cards/worker.ts',
  'api/documents/worker.ts',
  'destinations/format/worker.ts',
  'sources/conversion/worker.ts',
];

/** The folder of the bundle in the repository. */
export const BUNDLE = 'dist/programs';

/**
 * The list of the source files of the bundle. Written last, so its time is the time of the bundle.
 */
export const LIST = 'sources.json';

/** Returns the file name of a program in that folder. */
export function nameProgram(source: string): string {
  if (!PROGRAMS.includes(source)) throw new Error(`${source} is not in the list of programs (scripts/programs)`);
  return `${source.replace(/\.ts$/, '').replaceAll('/', '-')}.js`;
}
