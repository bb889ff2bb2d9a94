/**
 * Checks shipped dependencies for known vulnerabilities at the configured registry. A mirror may
 * not support audits or be unreachable; the check then reports that and passes.
 */
import { execFile } from 'node:child_process';

interface Report {
  /** `via` lists advisories, and names of dependencies that cause the vulnerability. */
  vulnerabilities?: Record<string, { severity: string; range: string; via: (string | Advisory)[] }>;
  message?: string;
}
interface Advisory {
  title: string;
  url: string;
}

const TIMEOUT_MS = 60_000;
const ARGS = ['audit', '--omit=dev', '--json'];

/** `folder` contains the lock file. Returns the line to print. Never rejects. */
export async function auditDependencies(
  folder: string,
  { env, aborted: signal }: { env: NodeJS.ProcessEnv; aborted: AbortSignal },
): Promise<{ passed: boolean; message: string }> {
  // npm exits with 1 both for findings and for failures; only its output differs.
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder, env, signal, timeout: TIMEOUT_MS, maxBuffer: 64 << 20 };
    execFile('npm', ARGS, options, (_, stdout) => resolve(stdout));
  });
  const { vulnerabilities, message = 'no report' } = parse(output);
  if (vulnerabilities === undefined)
    return { passed: true, message: `skipped dependencies: the registry could not be reached (${message})` };
  const lines = Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { range, severity, via }]) => {
      const causes = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`));
      return `        ${name} ${range} (${severity}): ${causes.join('; ')}`;
    });
  if (lines.length === 0)
    return { passed: true, message: 'ok      dependencies: no known vulnerability of high severity' };
  const next = '        Update them (npm audit fix), or add a fixed version to "overrides".';
  return { passed: false, message: ['FAILED  dependencies: known vulnerabilities', ...lines, next].join('\n') };
}

function parse(output: string): Report {
  try {
    return JSON.parse(output) as Report;
  } catch {
    // An HTML page of the registry, or no output.
    return {};
  }
}
