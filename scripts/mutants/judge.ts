/** Formats the results of a mutant run, as a table and a summary. */
import type { Mutant } from './mutant.ts';

export interface MutantResult {
  mutant: Mutant;
  /** The test file that detected it; null if none did. */
  detectedBy: string | null;
  seconds: number;
}

const MIN_SHARE = 0.9;

export function describeMutant({ mutant, detectedBy, seconds }: MutantResult): string {
  const verdict = detectedBy === null ? (mutant.survives === undefined ? 'SURVIVED' : 'explained') : 'noticed  ';
  const reason = detectedBy ?? mutant.survives ?? `not by ${mutant.tests.join(', ')}`;
  return `${verdict}  ${seconds.toFixed(1).padStart(5)} s  ${mutant.file}: ${mutant.mistake}\n${' '.repeat(20)}${reason}`;
}

/**
 * `isGood`: enough mutants are detected, every survivor is explained, and no detected mutant has an
 * explanation.
 */
export function summarizeMutants(judged: readonly MutantResult[]): { isGood: boolean; summary: string } {
  const survivors = judged.filter(({ detectedBy }) => detectedBy === null);
  const unexplained = survivors.filter(({ mutant }) => mutant.survives === undefined);
  const outdated = judged.filter(({ mutant, detectedBy }) => detectedBy !== null && mutant.survives !== undefined);
  const detected = judged.length - survivors.length;
  const share = judged.length === 0 ? 1 : detected / judged.length;
  const percent = (100 * share).toFixed(1);
  const summary = `${detected} of ${judged.length} mutants noticed (${percent} %), ${survivors.length - unexplained.length} more explained, ${unexplained.length} neither; ${outdated.length} explained although they are noticed.`;
  return { isGood: share >= MIN_SHARE && unexplained.length + outdated.length === 0, summary };
}
