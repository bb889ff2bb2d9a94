/** What `npm start` runs from a bundle: programs, what it loads itself at last, and the threads of all of them. */

export const PROGRAMS = [
  'api/main.ts',
  'worker/main.ts',
  'sandbox/main.ts',
  'scripts/start/demo/demonstrate.ts',
  'api/accounts/export/worker.ts',
  'api/articles/cards/worker.ts',
  'api/documents/worker.ts',
  'destinations/format/worker.ts',
  'sources/conversion/worker.ts',
];

/** The folder of the bundle, below the repository. */
export const BUNDLE = 'dist/programs';

/** In that folder: which sources it was made of. Written last, so its time is that of the bundle. */
export const LIST = 'sources.json';

/** The file of a program in that folder, without folders of its own. */
export function nameProgram(source: string): string {
  if (!PROGRAMS.includes(source)) throw new Error(`${source} is not in the list of programs (scripts/programs)`);
  return `${source.replace(/\.ts$/, '').replaceAll('/', '-')}.js`;
}
