/** Signs in the author of the benchmarks like a browser. */
import type { Database } from '../../store/db/database.ts';
import { hashPassword, setPassword } from '../../store/users/passwords.ts';
import type { BenchServices } from '../publish/services.ts';

/** Returns the Cookie header. */
export async function signIn(db: Database, { apiUrl, userId }: BenchServices): Promise<string> {
  const password = 'only for this run';
  await setPassword(db, userId, await hashPassword(password));
  const answer = await fetch(`${apiUrl}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'bench@example.org', password }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
