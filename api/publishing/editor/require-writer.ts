/** Rejects a text written by another account: in another tab, the user may have changed. */
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';

export function requireWriter(request: FastifyRequest): void {
  const { userId, username } = getViewer(request);
  const writer = readField(request, 'user');
  if (writer === '' || writer === userId) return;
  const detail = `You are now signed in as @${username}, but this text was written under another account. Nothing was changed. Sign in to that account in another tab, then return to the text and send it again.`;
  throw new ProblemError(409, 'other_account', detail);
}
