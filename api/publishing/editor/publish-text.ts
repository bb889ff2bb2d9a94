/**
 * Publishes, schedules or saves a text written in the browser: writes the form's choices into the
 * document, then runs the use case of the REST interface.
 */
import type { ArticleDraft, ArticleStatus, DocumentInput } from '../../../article/types.ts';
import { findMatchedArticle } from '../../../store/articles/publish/find-matched-article.ts';
import { countHit } from '../../../store/rate-limits/counters.ts';
import { MINUTE_MS } from '../../auth/limits.ts';
import type { PublishDeps } from '../../deps.ts';
import { createRateLimitProblem, ProblemError } from '../../plugins/errors/problem.ts';
import { formatTime } from '../../web/desk/times.ts';
import type { Notice } from '../../web/notice.ts';
import { readIdempotencyKey, runIdempotently } from '../idempotency.ts';
import type { Published } from '../observe-publish.ts';
import { explainComplexity, publishDocument } from '../publish-document.ts';
import { type PublishInput, readPublishBody } from '../request.ts';
import type { PublishResponseBody } from '../schema.ts';
import { chooseDestinations, findPlatforms } from './preview-text.ts';
import type { WriteForm } from './read-form.ts';

const EMPTY_TEXT = 'The text is empty. Write the article in “Markdown, with its frontmatter”, then try again.';

/**
 * Repeated calls with one key return the same response. Throws `ProblemError` or
 * `RefusedCommandError` without changing anything.
 */
export async function publishText(
  deps: PublishDeps,
  userId: string,
  form: WriteForm,
): Promise<Published & { answer: PublishResponseBody }> {
  await countDeskPublish(deps, userId);
  const { fileName, where } = form;
  if (form.content.trim() === '') throw new ProblemError(422, 'invalid_request', EMPTY_TEXT);
  const syndicationMode = where === 'here' ? 'local' : null;
  const body = readPublishBody({ content: form.content, fileName, syndicationMode });
  const platforms = await findPlatforms(deps, userId);
  const content = await applyForm(deps, userId, form, chooseDestinations(form, platforms));
  const { seen } = form;
  const input: PublishInput = { ...body, content, ...(seen === undefined ? {} : { expected: seen }) };
  const key = readIdempotencyKey(form.key === null ? undefined : `desk:${form.key}`, userId, input);
  const { response, isReplay } = await runIdempotently(deps, key, (claim) =>
    publishDocument(deps, { userId, platforms }, input, claim),
  );
  const answer = response.body as PublishResponseBody;
  return { answer, articleId: answer.data.id, action: answer.action, isReplay };
}

/** Throws a 429 above the limit, which is the same for the desk as for each developer token. */
async function countDeskPublish({ config, db }: PublishDeps, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `publish:desk:${userId}`, MINUTE_MS);
  if (current <= config.publishRatePerMinute) return;
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  const detail = `You have published ${config.publishRatePerMinute} times within a minute, which is the limit. Try again in ${seconds} s.`;
  throw createRateLimitProblem(detail, seconds);
}

const STATUSES: Partial<Record<WriteForm['intent'], ArticleStatus>> = {
  publish: 'PUBLISHED',
  schedule: 'SCHEDULED',
  draft: 'DRAFT',
};

/** Writes the form's choices into the document. */
async function applyForm(
  deps: PublishDeps,
  userId: string,
  form: WriteForm,
  crossPost: ReturnType<typeof chooseDestinations>,
): Promise<string> {
  const { content, fileName, intent, articleId } = form;
  const input: DocumentInput = { content, fileName: fileName ?? undefined, now: deps.now() };
  const status = STATUSES[intent] ?? null;
  const scheduledAt = intent === 'schedule' ? readSchedule(form) : null;
  const choices = { status, scheduledAt, crossPost, courantId: articleId };
  const chosen = await deps.documents.applyChoices(userId, input, choices).catch(explainComplexity);
  if (!chosen.ok) {
    const detail = 'The document has problems; fix them, then try again. Nothing was changed.';
    throw new ProblemError(422, 'invalid_document', detail, { errors: chosen.problems });
  }
  if (form.isSure) return chosen.content;
  if (chosen.draft.status === 'DRAFT') await requireNotPublic(deps, userId, form, chosen.draft);
  else if (chosen.doubts.length > 0) {
    const errors = chosen.doubts.map(({ code: _, path = 'content', ...doubt }) => ({ path, ...doubt }));
    const detail =
      'This article may not be meant for the public. Nothing was changed: select “I am sure. Continue anyway.”, or save it as a draft.';
    throw new ProblemError(422, 'doubtful', detail, { errors });
  }
  return chosen.content;
}

/**
 * Requires confirmation to save a public article as a draft, which removes it from the site. Also if
 * the page does not know the article yet: the text may be sent before its preview. An article other
 * than the one on the page is rejected later.
 */
async function requireNotPublic(
  { config: { baseUrl }, db }: PublishDeps,
  authorId: string,
  { seen }: WriteForm,
  draft: ArticleDraft,
): Promise<void> {
  const article = await findMatchedArticle(db, { authorId, draft, documentSource: null, baseUrl });
  if (article?.status !== 'PUBLISHED' || (seen !== undefined && seen?.id !== article.id)) return;
  const detail = `“${article.title}” is public. Saving it as a draft removes it from the site. Nothing was changed: select “I am sure. Continue anyway.” to confirm.`;
  throw new ProblemError(422, 'doubtful', detail);
}

/** Returns null if the document sets the time. */
function readSchedule({ date, time, zone }: WriteForm): string | null {
  if (date === '' && time === '') return null;
  if (date !== '' && time !== '') return `${date}T${time}[${zone || 'UTC'}]`;
  const message = 'Enter both the day and the time.';
  throw new ProblemError(422, 'invalid_request', message, { errors: [{ path: 'scheduled_at', message }] });
}

/** Describes the result of a publish, for the notice on the next page. */
export function describePublished({ action, data, warnings = [] }: PublishResponseBody, zone: string): Notice {
  const result = RESULTS[data.status][action];
  const schedule = data.scheduledAt ? ` It becomes public on ${formatTime(new Date(data.scheduledAt), zone)}.` : '';
  // Omits line numbers: writing the author's choices into the frontmatter may have shifted them.
  const [first, ...others] = warnings.map(({ message }) => message);
  if (first === undefined) return { kind: 'done', text: result + schedule };
  const othersText =
    others.length === 0 ? '' : ` And ${others.length} more ${others.length === 1 ? 'warning' : 'warnings'}.`;
  return { kind: 'warning', text: `${result}${schedule} Warning: ${first}${othersText}` };
}

const RESULTS = {
  PUBLISHED: { created: 'Article published.', updated: 'Article updated.' },
  SCHEDULED: { created: 'Article scheduled.', updated: 'Scheduled article updated.' },
  DRAFT: { created: 'Draft saved. Only you can see it.', updated: 'Draft updated. Only you can see it.' },
} as const;
