/** What `npm run doctor` says of one thing. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  /** What was looked at. */
  subject: string;
  /** What was found, and what it means. */
  says: string;
  /** What to do; absent where nothing is. */
  next?: string;
}

export const ok = (subject: string, says: string): Finding => ({ level: 'ok', subject, says });
export const warn = (subject: string, says: string, next: string): Finding => ({ level: 'warn', subject, says, next });
export const fail = (subject: string, says: string, next: string): Finding => ({ level: 'fail', subject, says, next });

/** The message of an error, also of one that is a bundle of several (an address with two IPs). */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Takes every secret of the settings out of what is printed: a server's message may repeat what it was sent. */
export function hideSecrets(findings: readonly Finding[], variables: NodeJS.ProcessEnv): Finding[] {
  const secrets = Object.entries(variables).flatMap(([name, value = '']) => listSecrets(name, value));
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), text);
  return findings.map(({ says, next, ...rest }) => ({ ...rest, says: hide(says), ...(next && { next: hide(next) }) }));
}

const SECRET_NAME = /KEY$|SECRET|PASSWORD|TOKEN|_DATA$|CODEC_AUTH/;
/** What is shorter would be found in every other word. */
const SHORTEST = 4;

function listSecrets(name: string, value: string): string[] {
  const whole = SECRET_NAME.test(name) ? value.split(',').map((part) => part.trim()) : [];
  const { password = '' } = URL.parse(value) ?? {};
  const forms = [...whole, password, decode(password)];
  return [...new Set(forms)].filter((secret) => secret.length >= SHORTEST);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
