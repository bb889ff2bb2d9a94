/** Creates the short-lived URL that downloads the export of an account and grants nothing else. */
import type { SessionOwner, Sessions } from '../../auth/sessions.ts';

export const EXPORT_PATH = '/account/export';

export async function openExport(
  { sessions, baseUrl }: { sessions: Sessions; baseUrl: string },
  owner: SessionOwner,
): Promise<{ url: string; expiresAt: Date }> {
  const { token, expiresAt } = await sessions.issue('courant:export', owner);
  return { url: `${baseUrl}${EXPORT_PATH}?token=${token}`, expiresAt };
}
