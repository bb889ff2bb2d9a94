/** A result of `npm run doctor`, and helpers that create results. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  /** The subject of the check. */
  subject: string;
  /** The result and its effect. */
  message: string;
  /** The next step; absent if there is none. */
  advice?: string;
}

/** Returns functions that create the findings of one subject. */
export const createFindings = (subject: string) => ({
  ok: (message: string): Finding => ({ level: 'ok', subject, message }),
  warn: (message: string, advice: string): Finding => ({ level: 'warn', subject, message, advice }),
  fail: (message: string, advice: string): Finding => ({ level: 'fail', subject, message, advice }),
});

/**
 * Returns the message of an error, or of the first one in an `AggregateError` (a host with two
 * addresses).
 */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).replaceAll(/\s+/g, ' ').slice(0, 300);
}

const SECRET_NAME = /KEY$|SECRET|PASSWORD|TOKEN|_DATA$|CODEC_AUTH|GRPC_META/;
/** Shorter secrets would match parts of ordinary words. */
const MIN_SECRET_LENGTH = 4;

/**
 * Removes all secrets of the settings from the findings, because a server's message may repeat what
 * it received.
 */
export function hideSecrets(findings: readonly Finding[], variables: NodeJS.ProcessEnv): Finding[] {
  const secrets = Object.entries(variables).flatMap(([name, value = '']) => {
    const values = SECRET_NAME.test(name) ? value.split(',').map((part) => part.trim()) : [];
    const { password = '' } = URL.parse(value) ?? {};
    return [...values, password, decode(password)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  });
  // A secret may contain a shorter one.
  secrets.sort((one, other) => other.length - one.length);
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), text);
  return findings.map(({ message, advice, ...rest }) => ({
    ...rest,
    message: hide(message),
    ...(advice && { advice: hide(advice) }),
  }));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
