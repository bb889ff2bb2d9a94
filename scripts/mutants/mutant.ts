/** A small mistake in a line that matters, and the tests that must notice it. */
import { stripTypeScriptTypes } from 'node:module';

export interface Mutant {
  /** What is wrong with it, as a sentence without its full stop. */
  mistake: string;
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
  /** Asked one after the other, until one of them notices. */
  tests: readonly string[];
  /** Why no test notices it, where none has to. */
  survives?: string;
}

/** The mutants of one file. */
export interface MutatedFile {
  file: string;
  tests: readonly string[];
  mutants: readonly (Pick<Mutant, 'mistake' | 'from' | 'to'> & Partial<Pick<Mutant, 'tests' | 'survives'>>)[];
}

export function listMutants(files: readonly MutatedFile[]): Mutant[] {
  return files.flatMap(({ file, tests, mutants }) => mutants.map((mutant) => ({ file, tests, ...mutant })));
}

/**
 * The file with the mistake. Throws where the list does not fit the code any more, and where the outcome cannot even be parsed: every test would
 * notice that.
 */
export function mutate(source: string, { file, from, to }: Mutant): string {
  const times = source.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} must have this once to be mutated, and has it ${times} times: ${from}`);
  const mutated = source.replace(from, () => to);
  if (mutated === source) throw new Error(`${file}: this mutation changes nothing: ${from}`);
  stripTypeScriptTypes(mutated);
  return mutated;
}
