/** Forms whose rejection shows their page again, with the submitted values and the problems. */
import type { FastifyReply } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { PROBLEMS } from '../plugins/errors/to-problem.ts';
import type { FieldProblem } from './fields.ts';
import { redirectWithNotice } from './notice.ts';

/** The text of the notice on the next page, null without one, or the problems of the fields. */
export type FormOutcome = string | null | { problems: FieldProblem[] };

/** On success redirects to `path`. A rejected form is rendered again with the submitted values. */
export async function handlePageForm(
  reply: FastifyReply,
  path: string,
  run: () => Promise<FormOutcome>,
  showAgain: (problems: FieldProblem[], status: number) => FastifyReply | Promise<FastifyReply>,
  describe: (error: RefusedCommandError) => FieldProblem = toFieldProblem,
): Promise<FastifyReply> {
  try {
    const outcome = await run();
    if (typeof outcome === 'string') return redirectWithNotice(reply, path, { kind: 'done', text: outcome });
    if (outcome !== null) return showAgain(outcome.problems, 422);
    return reply.header('cache-control', 'no-store').redirect(path, 303);
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return showAgain([describe(error)], chooseStatus(error));
  }
}

export function toFieldProblem({ field, message }: RefusedCommandError): FieldProblem {
  return { path: field ?? '', message };
}

export function chooseStatus({ code }: RefusedCommandError): number {
  return PROBLEMS[code]?.[0] ?? 422;
}
