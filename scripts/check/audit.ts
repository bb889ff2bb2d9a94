/**
 * Checks shipped dependencies for known vulnerabilities at the configured registry. A mirror may
 * not support audits or be unreachable; the check then reports that and passes.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Audit {
  passed: boolean;
  /** The line to print. */
  message: string;
}

interface Vulnerability {
  name: string;
  severity: string;
  range: string;
  /** Advisories, or names of dependencies that cause the vulnerability. */
  via: (string | { title?: string; url?: string })[];
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const REJECTED_SEVERITIES = ['high', 'critical'];

/** `folder` contains the lock file. Never rejects. */
export async function auditDependencies(
  folder: string,
  search: { env: NodeJS.ProcessEnv; aborted: AbortSignal },
): Promise<Audit> {
  const options = {
    cwd: folder,
    env: search.env,
    signal: search.aborted,
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    const { stdout } = await run('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], options);
    return readAudit(stdout);
  } catch (error) {
    // npm exits with 1 both for findings and for failures; only its output differs.
    const { stdout, message } = error as { stdout?: string; message: string };
    return readAudit(stdout ?? '', message.split('\n')[0]);
  }
}

/** Parses the output of npm. `failure` is the reason if there is no output. */
function readAudit(output: string, failure = 'npm printed nothing'): Audit {
  const { vulnerabilities, message } = parse(output);
  if (vulnerabilities === undefined) {
    return { passed: true, message: `skipped dependencies: the registry could not be reached (${message ?? failure})` };
  }
  const rejected = Object.values(vulnerabilities).filter(({ severity }) => REJECTED_SEVERITIES.includes(severity));
  if (rejected.length === 0)
    return { passed: true, message: 'ok      dependencies: no known vulnerability of high severity' };
  const lines = rejected.map(
    ({ name, range, severity, via }) => `        ${name} ${range} (${severity}): ${describe(via)}`,
  );
  const next = '        Update them (npm audit fix), or add a fixed version to "overrides".';
  return { passed: false, message: ['FAILED  dependencies: known vulnerabilities', ...lines, next].join('\n') };
}

function parse(output: string): { vulnerabilities?: Record<string, Vulnerability>; message?: string } {
  try {
    return JSON.parse(output) as ReturnType<typeof parse>;
  } catch {
    // An HTML page of the registry, or no output.
    return {};
  }
}

function describe(via: Vulnerability['via']): string {
  return via
    .map((cause) =>
      typeof cause === 'string' ? `by ${cause}` : `${cause.title ?? 'no title'} ${cause.url ?? ''}`.trim(),
    )
    .join('; ');
}
