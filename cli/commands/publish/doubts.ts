/**
 * Requests confirmation before publishing an article that may not be meant for the public, or whose
 * pictures readers cannot load.
 */
import type { Notice } from '../../../article/types.ts';
import type { CliContext } from '../../context.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { createInputFailure, Failure } from '../../failure.ts';
import { isInteractive, promptText } from '../../terminal/prompt.ts';
import { describeNotice } from '../../terminal/report.ts';

const STATE_DOUBTFUL = 'state_doubtful';
const PICTURE_UNREACHABLE = 'picture_unreachable';

/** Throws if the author declines, or if there is no terminal. */
export async function confirmDoubts(document: PreparedDocument, context: CliContext): Promise<'publish' | 'draft'> {
  const doubts = listPublishDoubts(document);
  if (doubts.length === 0) return 'publish';
  if (!isInteractive(context.streams)) throw refuseDoubtful(document, doubts);
  const { note, notePaint: paint } = context.terminal;
  for (const doubt of doubts) {
    const label = doubt.code === STATE_DOUBTFUL ? 'may not be public:' : 'warning:';
    note(`${paint.yellow(label)} ${paint.plain(describeNotice(doubt, document.file))}`);
  }
  const question = document.draft.status === 'SCHEDULED' ? 'Schedule it for publication?' : 'Publish it now?';
  const answer = await promptText(`${question} [y]es, as a [d]raft, [N]o`, context).catch((error: unknown) => {
    // The end of the input counts as no. Ctrl-C ends the command.
    if (error instanceof Failure) return '';
    throw error;
  });
  if (/^\s*y(es)?\s*$/i.test(answer)) return 'publish';
  if (/^\s*d(raft)?\s*$/i.test(answer)) return 'draft';
  throw createInputFailure('Not published. Nothing was sent.');
}

/** The warnings that require confirmation. A draft has none, because only its author can see it. */
export function listPublishDoubts({ warnings, draft }: PreparedDocument): Notice[] {
  if (draft.status === 'DRAFT') return [];
  return warnings.filter(({ code }) => code === STATE_DOUBTFUL || code === PICTURE_UNREACHABLE);
}

/** Returns the doubts as a predicate for a sentence that starts with the file name. */
export function describeDoubts(doubts: Notice[]): string {
  const reasons = [
    ...(isDoubted(doubts, STATE_DOUBTFUL) ? ['may not be meant for the public'] : []),
    ...(isDoubted(doubts, PICTURE_UNREACHABLE) ? ['has pictures that will not load'] : []),
  ];
  return reasons.join(' and ');
}

function isDoubted(doubts: Notice[], code: string): boolean {
  return doubts.some((doubt) => doubt.code === code);
}

function refuseDoubtful({ file, original }: PreparedDocument, doubts: Notice[]): Failure {
  const hint = isDoubted(doubts, STATE_DOUBTFUL)
    ? 'To publish it anyway, add --yes or set status in the frontmatter. To save a draft, add --draft.'
    : 'Set base_url in the frontmatter (or --base-url) so that the pictures resolve. To publish without them, add --yes. To save a draft, add --draft.';
  const reason = 'Confirmation is required, but there is no terminal. Nothing was sent.';
  return createInputFailure(`${file} ${describeDoubts(doubts)}. ${reason}`, {
    file,
    text: original,
    problems: doubts.map(({ code: _code, path = 'frontmatter', ...position }) => ({ path, ...position })),
    hints: [hint],
  });
}
