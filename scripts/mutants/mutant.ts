/** A mutant: a small mistake in an important line, and the tests that must detect it. */
import { stripTypeScriptTypes } from 'node:module';

export interface Mutant {
  /** The mistake, as a sentence without a full stop. */
  mistake: string;
  file: string;
  /** Must occur exactly once in the file. */
  from: string;
  to: string;
  /** Run in sequence until one detects the mutant. */
  tests: readonly string[];
  /** The reason why no test needs to detect it. */
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
 * Returns the source with the mutant. Throws if `from` no longer matches the code, or if the result
 * has a syntax error, which every test would detect.
 */
export function mutate(source: string, { file, from, to }: Mutant): string {
  const times = source.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} must have this once to be mutated, and has it ${times} times: ${from}`);
  const mutated = source.replace(from, () => to);
  if (mutated === source) throw new Error(`${file}: this mutation changes nothing: ${from}`);
  stripTypeScriptTypes(mutated);
  return mutated;
}
