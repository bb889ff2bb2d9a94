/** Adds and edits comments. Counts, cleans, checks and renders the text before it is stored. */
import { TooComplexError } from '../../../article/errors.ts';
import { cleanDocument } from '../../../article/text/clean-text.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { addComment, type CommentText } from '../../../store/comments/add-comment.ts';
import { editComment } from '../../../store/comments/own-comment.ts';
import { DocumentsBusyError } from '../../documents/pool.ts';
import type { GraphqlDeps } from '../../graphql/context.ts';
import { countReaderAction } from '../limits.ts';

type CommentDeps = Pick<GraphqlDeps, 'db' | 'documents' | 'config' | 'now'>;

interface WrittenComment {
  userId: string;
  /** Markdown. */
  body: string;
  /** By default derived from the body. */
  isQuestion?: boolean | undefined;
}

/** In UTF-16 code units, after cleaning. */
export const MAX_COMMENT_LENGTH = 10_000;

/**
 * Errors: BAD_INPUT, RATE_LIMITED, BUSY; from the store SUSPENDED, NOT_FOUND, COMMENTS_CLOSED,
 * THREAD_TOO_DEEP.
 */
export async function writeComment(
  deps: CommentDeps,
  { slug, parentId, ...written }: WrittenComment & { slug: string; parentId: string | null },
): Promise<{ id: string }> {
  const text = await readText(deps, written);
  return addComment(deps.db, { userId: written.userId, slug, parentId, ...text, now: deps.now() });
}

/** Errors: those of `writeComment` except THREAD_TOO_DEEP. */
export async function changeComment(
  deps: CommentDeps,
  { commentId, ...written }: WrittenComment & { commentId: string },
): Promise<void> {
  const text = await readText(deps, written);
  await editComment(deps.db, { userId: written.userId, commentId, ...text, now: deps.now() });
}

async function readText(deps: CommentDeps, { userId, body: input, isQuestion }: WrittenComment): Promise<CommentText> {
  // Checked first, because the next steps can take more than linear time.
  if (input.length > 2 * MAX_COMMENT_LENGTH) throw refuseLength();
  const body = cleanDocument(input).text.trim();
  if (body.length > MAX_COMMENT_LENGTH) throw refuseLength();
  await countReaderAction(deps.db, 'comment', userId);
  const rendered = await render(deps, userId, body);
  if (rendered.isEmpty) throw refuse('A comment needs some text.');
  return { body, html: rendered.html, isQuestion: isQuestion ?? rendered.isQuestion };
}

async function render({ documents, config }: CommentDeps, userId: string, body: string) {
  try {
    return await documents.renderComment(userId, body, new URL(config.baseUrl).origin);
  } catch (error) {
    if (error instanceof TooComplexError) throw refuse(error.message);
    if (error instanceof DocumentsBusyError) {
      throw new RefusedCommandError(
        'BUSY',
        'The service is busy. Your comment was not saved. Try again in a few seconds.',
      );
    }
    throw error;
  }
}

function refuseLength(): RefusedCommandError {
  return refuse(`A comment can have at most ${MAX_COMMENT_LENGTH.toLocaleString('en')} characters.`);
}

function refuse(message: string): RefusedCommandError {
  return new RefusedCommandError('BAD_INPUT', message, 'body');
}
