/** Developer tokens: validates and masks them, and chooses the token of a command. */
import type { CliConfig } from '../config.ts';
import { createFailure, createInputFailure, type Failure } from '../failure.ts';
import type { Credentials } from './stored-credentials.ts';

export type TokenSource = '--token' | 'SERVICE_TOKEN' | 'stored';

export interface ChosenToken {
  token: string;
  source: TokenSource;
}

/** Returns `--token`, else SERVICE_TOKEN, else the stored token or null. Throws if malformed. */
export async function chooseToken(
  flag: string | undefined,
  config: Pick<CliConfig, 'serviceToken'>,
  readStored: () => Promise<string | undefined>,
): Promise<ChosenToken | null> {
  if (flag !== undefined) return { token: checkToken(flag, '--token'), source: '--token' };
  if (config.serviceToken !== undefined) {
    return { token: checkToken(config.serviceToken, 'SERVICE_TOKEN'), source: 'SERVICE_TOKEN' };
  }
  const stored = await readStored();
  return stored === undefined ? null : { token: checkToken(stored, 'stored'), source: 'stored' };
}

/**
 * Returns the trimmed token. Throws if it is not `courant_` and 48 hexadecimal digits; the message
 * never contains it.
 */
export function checkToken(text: string, source: TokenSource): string {
  const token = text.trim();
  if (TOKEN_PATTERN.test(token)) return token;
  const name = source === 'stored' ? 'The stored token' : `The token of ${source}`;
  throw createInputFailure(`${name} is not a developer token: ${describeFault(token)}.`, {
    hints: [
      'A developer token is "courant_" and 48 hexadecimal digits. Create one on the settings page of the service.',
    ],
  });
}

/** Shows enough to distinguish two tokens, and too little to use one. */
export function maskToken(token: string): string {
  return TOKEN_PATTERN.test(token) ? `${token.slice(0, 12)}…${token.slice(-4)}` : '(malformed)';
}

export function describeMissingToken(
  config: Pick<CliConfig, 'serviceTokenIsEmpty'>,
  origin: string,
  { origins }: Credentials,
): Failure {
  const others = Object.keys(origins).filter((other) => origins[other]?.developerToken !== undefined);
  const empty = 'SERVICE_TOKEN is set but empty: does the secret exist in this CI job?';
  const hints = [
    'Run "courant login --token <token>", set SERVICE_TOKEN, or pass --token. Create a token on the settings page.',
    '"courant publish --dry-run <file>" checks a file without a token.',
  ];
  const otherHint = `Run "courant login --token <token> --endpoint ${origin}", or use --endpoint to publish to a server that has a stored token.`;
  return createFailure(
    others.length === 0
      ? 'No developer token.'
      : `No developer token for ${origin}. The stored tokens are for ${others.join(', ')}.`,
    { hints: [...(config.serviceTokenIsEmpty ? [empty] : []), ...(others.length === 0 ? hints : [otherHint])] },
  );
}

const TOKEN_PATTERN = /^courant_[0-9a-f]{48}$/;

function describeFault(token: string): string {
  if (token === '') return 'it is empty';
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return 'it looks like a session token (JWT), which cannot publish';
  if (!token.startsWith('courant_')) return 'it does not start with "courant_"';
  const digits = token.slice('courant_'.length);
  if (/[^0-9a-f]/.test(digits))
    return 'it contains something other than lower-case hexadecimal digits after "courant_"';
  return `it has ${digits.length} digits after "courant_" instead of 48`;
}
