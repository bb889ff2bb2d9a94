/** Sends a form to the desk, and says what came of it: an answer, a refusal, or none, since the session or the network has ended. */

export interface Problem {
  code: string;
  detail: string;
  errors: { path: string; message: string; line?: number; column?: number }[];
}

export type Sent<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'refused'; problem: Problem; retryAfterMs: number | null }
  | { kind: 'signed out' }
  | { kind: 'away' };

/** Longer than the server lets any text take. */
const PATIENCE_MS = 40_000;

export async function send<Answer>(path: string, body: FormData): Promise<Sent<Answer>> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(path, { method: 'POST', body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    // Whoever is not signed in is led to the page where one does.
    if (response.redirected) return { kind: 'signed out' };
    const answer: unknown = await response.json();
    if (response.ok) return { kind: 'answered', answer: answer as Answer };
    if (response.status >= 500 && response.status !== 503) return { kind: 'away' };
    const seconds = Number(response.headers.get('retry-after'));
    return { kind: 'refused', problem: answer as Problem, retryAfterMs: seconds > 0 ? seconds * 1000 : null };
  } catch {
    // No network, no answer in time, or one of something in between: nothing is known, and the same may be sent again.
    return { kind: 'away' };
  }
}

/** The same for each try of one publish. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
