/** Validates the body of a publish: one text and its options. */
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { normaliseRepository } from '../../article/identity/repository.ts';
import type { DocumentSource } from '../../article/types.ts';
import type { ExpectedArticle } from '../../store/articles/publish/expected-article.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import type { PublishBody } from './schema.ts';

export interface PublishInput {
  /** The document as sent. */
  content: string;
  options: PublishOptions;
  /** The article that the author expects to update; null for a new one, absent if unknown. */
  expected?: ExpectedArticle | null;
}

export interface PublishOptions {
  canonicalUrl: string | undefined;
  baseUrl: string | undefined;
  coverImage: string | undefined;
  syndicationMode: string | undefined;
  /** Distinguishes MDX from Markdown, and is the title of a document without one. */
  fileName: string | undefined;
  /** The file that the document comes from; undefined if the client did not send it. */
  source: DocumentSource | undefined;
  /** Platforms by destination key, as the client requires them. */
  platforms: Record<string, string>;
}

/** Throws `ProblemError` if the text is missing, ambiguous (two different texts) or too large. */
export function readPublishBody(body: PublishBody): PublishInput {
  const { canonicalUrl, baseUrl, coverImage, syndicationMode, fileName, source, platforms } = body;
  return {
    content: readContent(body),
    options: {
      canonicalUrl: canonicalUrl ?? undefined,
      baseUrl: baseUrl ?? undefined,
      coverImage: coverImage ?? undefined,
      syndicationMode: syndicationMode ?? undefined,
      fileName: fileName ?? undefined,
      source: source ? readSource(source) : undefined,
      platforms: platforms ?? {},
    },
  };
}

function readSource({ repository, path }: NonNullable<PublishBody['source']>): DocumentSource {
  if (path.split('/').some((name) => ['', '.', '..'].includes(name)) || path.includes('\0')) {
    const message =
      'The field "source.path" must be relative to the root of the repository, such as posts/hello.md, without "." and "..".';
    throw createFieldProblem('source.path', message);
  }
  if (repository?.includes('\0')) {
    throw createFieldProblem('source.repository', 'The field "source.repository" must not contain the character NUL.');
  }
  return { repository: repository?.trim() ? readRepository(repository) : null, path: path.normalize('NFC') };
}

/** The URL may contain a credential, which is never stored. */
function readRepository(repository: string): string {
  const name = normaliseRepository(repository);
  if (name !== null) return name;
  if (!repository.includes('@')) return repository.trim();
  const message =
    'The field "source.repository" is not the URL of a Git remote. Send such a URL, or a name without "@".';
  throw createFieldProblem('source.repository', message);
}

function readContent({ content, markdown }: PublishBody): string {
  if (content != null && markdown != null && content !== markdown) {
    throw createFieldProblem('markdown', 'The fields "content" and "markdown" differ. Send one of them.');
  }
  const text = content ?? markdown;
  if (text == null) {
    throw createFieldProblem('content', 'The field "content" is missing. Send the Markdown document in it.');
  }
  if (text.trim() === '') {
    const path = content != null ? 'content' : 'markdown';
    throw createFieldProblem(path, `The field "${path}" is empty. Write the text of the article, then send it again.`);
  }
  requireContentSize(text);
  return text;
}

export function requireContentSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_CONTENT_BYTES) return;
  throw new ProblemError(
    413,
    'content_too_large',
    `The content has ${bytes} bytes; the limit is ${MAX_CONTENT_BYTES}.`,
  );
}

function createFieldProblem(path: string, message: string): ProblemError {
  return new ProblemError(422, 'invalid_request', message, { errors: [{ path, message }] });
}
