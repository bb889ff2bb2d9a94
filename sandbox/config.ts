/** Reads the sandbox's own environment variables. */

interface SandboxConfig {
  port: number;
  statePath: string | undefined;
  baseUrl: string;
  rateLimits: boolean;
}

/** Throws one error that names every wrong variable. */
export function readSandboxConfig(env: NodeJS.ProcessEnv): SandboxConfig {
  const problems: string[] = [];
  const port = Number(env.SANDBOX_PORT || 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('SANDBOX_PORT must be a port number.');
  const baseUrl = env.BASE_URL || 'http://localhost:3000';
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) problems.push('BASE_URL must be an http or https URL.');
  const rateLimits = env.SANDBOX_RATE_LIMITS || 'on';
  if (rateLimits !== 'on' && rateLimits !== 'off') problems.push('SANDBOX_RATE_LIMITS must be on or off.');
  if (problems.length > 0) throw new Error(problems.join(' '));
  return { port, statePath: env.SANDBOX_STATE || undefined, baseUrl, rateLimits: rateLimits === 'on' };
}
