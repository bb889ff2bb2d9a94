/** Answers a form of the desk: with the page again, or with the words alone where the page's script has sent the form. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { answerForm, type Notice } from '../../web/notice.ts';

export async function answerCommand(
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<string | Notice>,
): Promise<FastifyReply> {
  if (!request.headers.accept?.startsWith('application/json')) {
    return answerForm(reply, readNextPath(readField(request, 'back')), act);
  }
  return reply.header('cache-control', 'no-store').send(await say(act));
}

async function say(act: () => Promise<string | Notice>): Promise<Notice> {
  try {
    const said = await act();
    return typeof said === 'string' ? { kind: 'done', text: said } : said;
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return { kind: 'refused', text: error.message };
  }
}
