/** The address from which an account's export is downloaded: short-lived, and good for nothing else. */
import { LIFETIME_S, type Sessions } from '../../auth/sessions.ts';

export const EXPORT_PATH = '/account/export';

export async function openExport(
  { sessions, baseUrl, now }: { sessions: Sessions; baseUrl: string; now: Date },
  userId: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = await sessions.issue('courant:export', userId);
  const expiresAt = new Date(now.getTime() + LIFETIME_S['courant:export'] * 1000);
  return { url: `${baseUrl}${EXPORT_PATH}?token=${token}`, expiresAt };
}
