/**
 * Obtains a program by the first of several methods that works, such as the Temporal server and its
 * time-skipping variant.
 */
import { accessSync, constants } from 'node:fs';

export interface ProgramSearch {
  env: NodeJS.ProcessEnv;
  /** Called with every step that takes time or fails. */
  announce: (step: string) => void;
  /** Cancels a download or a build. */
  aborted?: AbortSignal | undefined;
}

type Method = [what: string, obtain: () => Promise<string>];

/** Returns the path from the first method that works, else the reasons of all failures. */
export async function obtainFirst(
  subject: string,
  methods: Method[],
  { announce, aborted }: ProgramSearch,
): Promise<{ path: string } | { failures: string[] }> {
  const failures: string[] = [];
  for (const [name, obtain] of methods) {
    try {
      return { path: await obtain() };
    } catch (error) {
      aborted?.throwIfAborted();
      const reason = formatErrorLine(error);
      failures.push(`${name}: ${reason}`);
      announce(`${subject}: ${name} failed (${reason})`);
    }
  }
  return { failures };
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Formats an error in one line: the last line of stderr, else of the message. */
export function formatErrorLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const killed = 'killed' in error && error.killed === true;
  if (killed) return 'took too long';
  const output = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  const lines = (output || error.message).split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? error.message).slice(0, 300);
}
