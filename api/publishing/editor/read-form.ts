/** Reads the form of the page for writing: the text and the choices. */
import type { FastifyRequest } from 'fastify';
import { InvalidTextError } from '../../../article/errors.ts';
import { isPicture, PICTURES_NOT_ACCEPTED_MESSAGE } from '../../../article/images/picture-file.ts';
import { decodeText } from '../../../article/text/decode-text.ts';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import type { ExpectedArticle } from '../../../store/articles/publish/expected-article.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { readField, readFields } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { requireContentSize } from '../request.ts';

/** `document`: the document decides. */
export type Intent = 'publish' | 'schedule' | 'draft' | 'document' | 'preview' | 'open';
export type Where = 'document' | 'chosen' | 'here';

export interface WriteForm {
  content: string;
  fileName: string | null;
  intent: Intent;
  date: string;
  time: string;
  zone: string;
  where: Where;
  destinations: DestinationKey[];
  /** The article that the text was opened from. */
  articleId: string | null;
  /** The article that the page announced as updated; null for a new one, undefined if none. */
  seen: ExpectedArticle | null | undefined;
  /** True if the author confirmed a doubtful publish. */
  isSure: boolean;
  /** Idempotency key, the same for each try of one publish. */
  key: string | null;
}

const INTENTS: readonly Intent[] = ['publish', 'schedule', 'draft', 'document', 'open'];
const WHERES: readonly Where[] = ['chosen', 'here'];

export async function readWriteForm(request: FastifyRequest): Promise<WriteForm> {
  const field = (name: string) => readField(request, name);
  const intent = INTENTS.find((candidate) => candidate === field('intent')) ?? 'preview';
  const { content, fileName } = await readText(request, intent === 'open' ? 'file' : 'content');
  const articleId = field('article');
  const selected = readFields(request, 'destination');
  return {
    content,
    fileName: fileName ?? (field('fileName').slice(0, 255) || null),
    intent,
    date: field('date'),
    time: field('time'),
    zone: field('zone'),
    where: WHERES.find((candidate) => candidate === field('where')) ?? 'document',
    destinations: DESTINATION_KEYS.filter((key) => selected.includes(key)),
    articleId: isUuid(articleId) ? articleId : null,
    seen: readSeen(field('seen')),
    isSure: field('sure') !== '',
    key: /^[\w-]{8,64}$/.exec(field('key'))?.[0] ?? null,
  };
}

/** Rejects a text written by another account: in another tab, the user may have changed. */
export function requireWriter(request: FastifyRequest): void {
  const { userId, username } = getViewer(request);
  const writer = readField(request, 'user');
  if (writer === '' || writer === userId) return;
  const detail = `You are now signed in as @${username}, but this text was written under another account. Nothing was changed. Sign in to that account in another tab, then return to the text and send it again.`;
  throw new ProblemError(409, 'other_account', detail);
}

/** Formats `seen` as a form value, for `readSeen`. */
export function writeSeen(article: ExpectedArticle | null | undefined): string {
  if (article === undefined) return '';
  return article === null ? 'new' : `${article.id}:${article.fingerprint}`;
}

function readSeen(text: string): ExpectedArticle | null | undefined {
  if (text === 'new') return null;
  const [id = '', fingerprint = ''] = text.split(':');
  return isUuid(id) && /^[0-9a-f]{64}$/.test(fingerprint) ? { id, fingerprint } : undefined;
}

/** Normalises line endings of a form field, which browsers send as CRLF. A file is not changed. */
async function readText({ body }: FastifyRequest, name: string): Promise<{ content: string; fileName: string | null }> {
  const value = body instanceof FormData ? body.get(name) : null;
  if (!(value instanceof File)) return { content: (value ?? '').replaceAll('\r\n', '\n'), fileName: null };
  const bytes = new Uint8Array(await value.arrayBuffer());
  if (isPicture(value, bytes))
    throw new ProblemError(422, 'invalid_text', `${value.name.slice(0, 255)}: ${PICTURES_NOT_ACCEPTED_MESSAGE}`);
  const content = decode(bytes);
  requireContentSize(content);
  return { content, fileName: value.name.slice(0, 255) || null };
}

function decode(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    throw new ProblemError(422, 'invalid_text', error.message, {
      errors: [{ path: 'content', message: error.message, line: error.line }],
    });
  }
}
