/** Asks before an article goes public whose frontmatter seems to say that it should not. */
import type { CliContext } from '../../context.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { createInputFailure, Failure } from '../../failure.ts';
import { ask, isInteractive } from '../../terminal/prompt.ts';
import { describeNotice } from '../../terminal/report.ts';

const DOUBTFUL = 'state_doubtful';

/** Only what a person answers makes a doubtful article public. Throws if the answer is no, or if there is nobody to ask. */
export async function askAboutDoubts(
  file: string,
  document: PreparedDocument,
  context: CliContext,
): Promise<'publish' | 'draft'> {
  if (!isDoubtful(document)) return 'publish';
  const { terminal } = context;
  if (!isInteractive(context.streams)) throw describeDoubts(file, document, 'and there is no terminal to ask');
  const doubts = document.warnings.filter(({ code }) => code === DOUBTFUL);
  const paint = terminal.notePaint;
  for (const doubt of doubts) terminal.note(`${paint.yellow('in doubt:')} ${paint.plain(describeNotice(doubt, file))}`);
  const question = document.draft.status === 'SCHEDULED' ? 'Schedule it for publication?' : 'Publish it now?';
  const answer = await ask(`${question} [y]es, as a [d]raft, [N]o`, context).then(
    (text) => text.trim().toLowerCase(),
    (error: unknown) => {
      // The end of the input is no answer, and no answer is a no. Ctrl-C ends the command.
      if (error instanceof Failure) return '';
      throw error;
    },
  );
  if (answer === 'y' || answer === 'yes') return 'publish';
  if (answer === 'd' || answer === 'draft') return 'draft';
  throw createInputFailure('Not published. Nothing was sent.');
}

export function isDoubtful({ warnings }: PreparedDocument): boolean {
  return warnings.some(({ code }) => code === DOUBTFUL);
}

function describeDoubts(file: string, { warnings, original }: PreparedDocument, why: string): Failure {
  const doubts = warnings.filter(({ code }) => code === DOUBTFUL);
  return createInputFailure(`${file} may not be meant for the public, ${why}. Nothing was sent.`, {
    file,
    text: original,
    problems: doubts.map(({ code: _code, path = 'frontmatter', ...place }) => ({ path, ...place })),
    hints: ['To publish it all the same, add --yes, or name its status in the frontmatter; --draft saves a draft.'],
  });
}
