/**
 * Known holes in what the product ships, as the registry in use tells them. Not every registry can be asked: a mirror may not know, or be out of
 * reach. Then that is said and the check goes on, since a change is not worse for it.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Audit {
  passed: boolean;
  /** The line of the check. */
  said: string;
}

interface Vulnerability {
  name: string;
  severity: string;
  range: string;
  /** Advisories, and names of packages that bring one along. */
  via: (string | { title?: string; url?: string })[];
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const REFUSED = ['high', 'critical'];

/** `folder` holds the lock file. Never rejects. */
export async function auditDependencies(
  folder: string,
  more: { env: NodeJS.ProcessEnv; aborted: AbortSignal },
): Promise<Audit> {
  const options = {
    cwd: folder,
    env: more.env,
    signal: more.aborted,
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    const { stdout } = await run('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], options);
    return readAudit(stdout);
  } catch (error) {
    // npm ends with 1 where it found something, and where it could not ask: its output says which.
    const { stdout, message } = error as { stdout?: string; message: string };
    return readAudit(stdout ?? '', message.split('\n')[0]);
  }
}

/** What npm wrote, and why it wrote nothing if it did not. */
function readAudit(output: string, failure = 'npm said nothing'): Audit {
  const { vulnerabilities, message } = parse(output);
  if (vulnerabilities === undefined) {
    return { passed: true, said: `skipped dependencies: the registry could not be asked (${message ?? failure})` };
  }
  const refused = Object.values(vulnerabilities).filter(({ severity }) => REFUSED.includes(severity));
  if (refused.length === 0) return { passed: true, said: 'ok      dependencies: no known hole of high severity' };
  const lines = refused.map(
    ({ name, range, severity, via }) => `        ${name} ${range} (${severity}): ${describe(via)}`,
  );
  const next = '        Update them (npm audit fix), or put a version without the hole under "overrides".';
  return { passed: false, said: ['FAILED  dependencies: known holes', ...lines, next].join('\n') };
}

function parse(output: string): { vulnerabilities?: Record<string, Vulnerability>; message?: string } {
  try {
    return JSON.parse(output) as ReturnType<typeof parse>;
  } catch {
    // A registry's page, or nothing at all.
    return {};
  }
}

function describe(via: Vulnerability['via']): string {
  return via
    .map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title ?? 'no title'} ${one.url ?? ''}`.trim()))
    .join('; ');
}
