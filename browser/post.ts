/**
 * Posts a form in the background and requests JSON. All scripts send forms through it; each page
 * presents the result itself.
 */

export interface Problem {
  code: string;
  /** The problem and the next step, for the reader. */
  detail: string;
  errors: { path: string; message: string; line?: number; column?: number }[];
}

export type PostResult<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'refused'; problem: Problem; retryAfterMs: number | null }
  | { kind: 'signed out' }
  /** The outcome is unknown. Repeat the request only if its address is idempotent. */
  | { kind: 'away' };

/** Longer than the maximum time the server spends on any text. */
const TIMEOUT_MS = 40_000;

export async function postForm<Answer>(path: string, body: FormData | URLSearchParams): Promise<PostResult<Answer>> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(path, { method: 'POST', body, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    // Signed-out requests receive 401 or a redirect to the login page.
    if (response.redirected || response.status === 401) return { kind: 'signed out' };
    const answer: unknown = await response.json();
    if (response.ok) return { kind: 'answered', answer: answer as Answer };
    if (response.status >= 500 && response.status !== 503) return { kind: 'away' };
    const seconds = Number(response.headers.get('retry-after'));
    return { kind: 'refused', problem: answer as Problem, retryAfterMs: seconds > 0 ? seconds * 1000 : null };
  } catch {
    // No network, no response in time, or a response that is not from the server.
    return { kind: 'away' };
  }
}
