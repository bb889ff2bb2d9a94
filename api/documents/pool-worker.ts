/** What a worker thread of the pool does: one document at a time. */
import { type DeriveOptions, deriveArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { readDocument } from '../../article/read-document.ts';
import type { ArticleDraft, DerivedArticle, DocumentInput, ReadResult } from '../../article/types.ts';

export type DocumentTask<Question = undefined> =
  | { kind: 'read'; input: DocumentInput }
  | { kind: 'derive'; draft: ArticleDraft; options: DeriveOptions }
  | { kind: 'readAndDerive'; input: DocumentInput; options: DeriveOptions; question?: Question | undefined };

export interface TaskAnswer {
  read?: ReadResult;
  derived?: DerivedArticle | null;
  tooComplex?: { message: string; line: number | undefined };
}

/** Of a worker that does more than this one. */
export type ExtendedAnswer<Extra> = TaskAnswer & { extra?: Extra };

export default async function runDocumentTask(task: DocumentTask<unknown>): Promise<TaskAnswer> {
  try {
    if (task.kind === 'read') return { read: readDocument(task.input) };
    if (task.kind === 'derive') return { derived: await deriveArticle(task.draft, task.options) };
    const read = readDocument(task.input);
    return { read, derived: read.ok ? await deriveArticle(read.draft, task.options) : null };
  } catch (error) {
    if (error instanceof TooComplexError) return { tooComplex: { message: error.message, line: error.line } };
    throw error;
  }
}
