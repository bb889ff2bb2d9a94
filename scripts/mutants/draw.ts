/** Draws random mutants, uniformly over the lines of the product that have any. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { ROOT } from '../check/run-step.ts';

export interface Mutant {
  file: string;
  line: number;
  code: string;
  /** `original → replacement`, on one line. */
  change: string;
  original: string;
  mutated: string;
}

const NOT_PRODUCT =
  /^(\.|bench|docs|examples|ops|sandbox|test)|^scripts\/(?!admin|backup|doctor|start)|^[^/]*$|generated-types/;

/** The same seed draws the same mutants of the same commit. */
export async function* drawMutants({ seed, files }: { seed: string; files: string }): AsyncGenerator<Mutant, void> {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: ROOT }).toString().trim().split('\n');
  const lines = tracked
    .filter((file) => !NOT_PRODUCT.test(file) && matchesGlob(file, files))
    .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))
    .flatMap((entry) => entry.source.split('\n').map((_, index) => ({ ...entry, line: index + 1 })));
  let draws = 0;
  const random = (limit: number) => {
    const hash = createHash('sha256').update(`${seed} ${draws++}`).digest();
    return Math.floor((hash.readUInt32BE() / 2 ** 32) * limit);
  };
  while (lines.length > 0) {
    const [drawn] = lines.splice(random(lines.length), 1);
    const ofFile = drawn ? await listMutants(drawn.file, drawn.source) : [];
    const mutants = ofFile.filter(({ line }) => line === drawn?.line);
    const mutant = mutants[random(mutants.length)];
    if (mutant) yield mutant;
  }
}

const ignore = () => undefined;
const LOGGER = { isDebugEnabled: () => false, info: ignore, debug: ignore, warn: ignore } as unknown;
const OPTIONS = { ignorers: [], excludedMutations: [], plugins: null };

export async function listMutants(file: string, source: string): Promise<Mutant[]> {
  const instrumenter = new Instrumenter(LOGGER as ConstructorParameters<typeof Instrumenter>[0]);
  const { mutants } = await instrumenter.instrument([{ name: file, content: source, mutate: true }], OPTIONS);
  const lines = source.split('\n');
  return mutants.map(({ location, mutatorName, replacement = '' }) => {
    const [from, to] = [location.start, location.end].map(({ line, column }) =>
      lines.slice(0, line).reduce((offset, { length }) => offset + length + 1, column),
    );
    // `a && b && c` must not become `a || b && c`.
    const text = mutatorName === 'LogicalOperator' ? `(${replacement})` : replacement;
    return {
      file,
      line: location.start.line + 1,
      code: lines[location.start.line]?.trim() ?? '',
      change: `${shorten(source.slice(from, to))} → ${shorten(replacement)}`,
      original: source,
      mutated: source.slice(0, from) + text + source.slice(to),
    };
  });
}

function shorten(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length <= 80 ? line : `${line.slice(0, 60)} … ${line.slice(-17)}`;
}
