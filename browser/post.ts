/**
 * Posts what a form holds without leaving the page, and asks for words instead of a page: the one way in which scripts send forms. What is said of the
 * outcome, and where, is up to each page.
 */

export interface Problem {
  code: string;
  /** What happened, and what to do. */
  detail: string;
  errors: { path: string; message: string; line?: number; column?: number }[];
}

export type Sent<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'refused'; problem: Problem; retryAfterMs: number | null }
  | { kind: 'signed out' }
  /** Nothing is known: the same may be sent again where its address lets that do no harm. */
  | { kind: 'away' };

/** Longer than the server lets any text take. */
const PATIENCE_MS = 40_000;

export async function post<Answer>(path: string, body: FormData | URLSearchParams): Promise<Sent<Answer>> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(path, { method: 'POST', body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    // Whoever is not signed in is told so, or led to the page where one does.
    if (response.redirected || response.status === 401) return { kind: 'signed out' };
    const answer: unknown = await response.json();
    if (response.ok) return { kind: 'answered', answer: answer as Answer };
    if (response.status >= 500 && response.status !== 503) return { kind: 'away' };
    const seconds = Number(response.headers.get('retry-after'));
    return { kind: 'refused', problem: answer as Problem, retryAfterMs: seconds > 0 ? seconds * 1000 : null };
  } catch {
    // No network, no answer in time, or one of something in between.
    return { kind: 'away' };
  }
}
