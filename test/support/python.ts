/**
 * Runs Python programs that parse published content: the reference readers of `llms.txt` and of
 * feeds.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';

export interface Python {
  /** The reason why tests with it are skipped; false if they run. */
  skip: string | false;
  /** Runs a program with `input` on its standard input, and parses its JSON output. */
  run(program: string, input: string): Promise<unknown>;
}

const TIMEOUT_MS = 120_000;

export function preparePython(): Python {
  const packages = findTool('PYTHON_READERS') ?? '';
  return {
    skip: packages === '' && explainAbsence('PYTHON_READERS'),
    run: (program, input) => runPython(packages, program, input),
  };
}

const ignore = () => undefined;

async function runPython(packages: string, program: string, input: string): Promise<unknown> {
  const env = { ...process.env, PYTHONPATH: packages, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', program], { env, timeout: TIMEOUT_MS });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A program that fails before it has read everything reports that itself.
  child.stdin.on('error', ignore);
  child.stdin.end(input);
  const [output, errorOutput, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`python3 ended with ${code}: ${errorOutput.trim().slice(-2_000)}`);
  return JSON.parse(output) as unknown;
}
