/** Developer tokens: checks their form, masks them, chooses the one that a command uses. */
import type { CliConfig } from '../config.ts';
import { createFailure, createInputFailure, type Failure } from '../failure.ts';

export type TokenSource = '--token' | 'SERVICE_TOKEN' | 'stored';

export interface ChosenToken {
  token: string;
  source: TokenSource;
}

/** `--token`, then SERVICE_TOKEN, then the stored token; null if there is none. Throws if it is malformed. */
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

/** The token, trimmed. Throws if it is not `courant_` and 48 hexadecimal digits; the message never repeats it. */
export function checkToken(text: string, source: TokenSource): string {
  const token = text.trim();
  if (FORM.test(token)) return token;
  const name = source === 'stored' ? 'The stored token' : `The token of ${source}`;
  throw createInputFailure(`${name} is not a developer token: ${findFault(token)}.`, {
    hints: ['A developer token is "courant_" and 48 hexadecimal digits; make one on the settings page of the service.'],
  });
}

/** Shows enough to tell two tokens apart, and too little to use one. */
export function maskToken(token: string): string {
  return FORM.test(token) ? `${token.slice(0, 12)}…${token.slice(-4)}` : '(malformed)';
}

/** `elsewhere`: the origins for which a token is stored, which is not sent anywhere else. */
export function describeMissingToken(
  config: Pick<CliConfig, 'serviceTokenIsEmpty'>,
  origin: string,
  elsewhere: readonly string[],
): Failure {
  const empty = config.serviceTokenIsEmpty
    ? ['SERVICE_TOKEN is set but empty: does the secret exist in this CI job?']
    : [];
  if (elsewhere.length > 0) {
    return createFailure(`No developer token for ${origin}; what is stored is for ${elsewhere.join(', ')}.`, {
      hints: [
        ...empty,
        `Run "courant login --token <token> --endpoint ${origin}", or publish with --endpoint to a server that you have a token for.`,
      ],
    });
  }
  return createFailure('No developer token.', {
    hints: [
      ...empty,
      'Run "courant login --token <token>", set SERVICE_TOKEN, or pass --token. Make a token on the settings page.',
      '"courant publish --dry-run <file>" checks a file without one.',
    ],
  });
}

const FORM = /^courant_[0-9a-f]{48}$/i;

function findFault(token: string): string {
  if (token === '') return 'it is empty';
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return 'it looks like a session token (JWT), which does not publish';
  if (!token.startsWith('courant_')) return 'it does not start with "courant_"';
  const digits = token.slice('courant_'.length);
  if (/[^0-9a-f]/i.test(digits)) return 'it contains something other than hexadecimal digits after "courant_"';
  return `it has ${digits.length} digits after "courant_" instead of 48`;
}
