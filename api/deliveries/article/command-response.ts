/** Responds to a command form with the page again, or with the notice alone for a script. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { handleForm, type Notice } from '../../web/notice.ts';

export async function sendCommandResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  runCommand: () => Promise<string | Notice>,
): Promise<FastifyReply> {
  if (!request.headers.accept?.startsWith('application/json')) {
    return handleForm(reply, readNextPath(readField(request, 'back')), runCommand);
  }
  return reply.header('cache-control', 'no-store').send(await runToNotice(runCommand));
}

async function runToNotice(runCommand: () => Promise<string | Notice>): Promise<Notice> {
  try {
    const result = await runCommand();
    return typeof result === 'string' ? { kind: 'done', text: result } : result;
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return { kind: 'refused', text: error.message };
  }
}
