/** Serves the desk's page for writing: previews, and a form to publish, schedule or save. */
import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import { MAX_CONTENT_BYTES } from '../../../article/content-limit.ts';
import { findOwnDocument } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import type { DeskDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { toProblem } from '../../plugins/errors/to-problem.ts';
import { formBodyPlugin } from '../../plugins/form-body.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findZone } from '../../web/desk/time-zone.ts';
import { acceptsJson } from '../../web/forms.ts';
import { redirectWithNotice, setNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { observePublish } from '../observe-publish.ts';
import { requireContentSize } from '../request.ts';
import { renderWritePage, type WritePage, type WriteProblem } from './page.ts';
import { renderPreview } from './preview.ts';
import { countPreview, listMarks, previewText, type TextPreview } from './preview-text.ts';
import { describePublished, publishText } from './publish-text.ts';
import { readWriteForm, requireWriter, type WriteForm, writeSeen } from './read-form.ts';

const PATH = '/desk/write';
/** Browsers send a line ending in a form as two bytes. */
const MAX_BODY_BYTES = 2 * MAX_CONTENT_BYTES + 64 * 1024;

export async function writeSection(app: FastifyInstance, deps: DeskDeps) {
  const { db, documents, now } = deps;
  await app.register(formBodyPlugin, { bodyLimit: MAX_BODY_BYTES, takesMultipart: true });

  app.get<{ Querystring: { article?: unknown } }>(PATH, async (request, reply) => {
    const { userId } = getViewer(request);
    const { article } = request.query;
    if (article === undefined) return show(deps, request, reply, { form: { ...EMPTY, seen: null } });
    const isId = typeof article === 'string' && isUuid(article);
    const found = isId ? await findOwnDocument(db, { authorId: userId, articleId: article }) : undefined;
    if (!found) throw new ProblemError(404, 'not_found', 'You have no such article.');
    const { fingerprint, ...stored } = found;
    const content = await documents.restoreDocument(userId, stored, now());
    const seen = { id: found.id, fingerprint: fingerprint.toString('hex') };
    return show(deps, request, reply, { form: { ...EMPTY, content, articleId: found.id, seen } });
  });

  // Runs after the check for a confirmed address and before the text is read.
  const preParsing: preParsingAsyncHookHandler = async (request, _reply, payload) => {
    await countPreview(deps, getViewer(request));
    return payload;
  };
  app.post(`${PATH}/preview`, { preParsing }, async (request, reply) => {
    requireWriter(request);
    const form = await readWriteForm(request);
    requireContentSize(form.content);
    const preview = await previewText(deps, getViewer(request).userId, form);
    const { article } = preview;
    return reply.header('cache-control', 'no-store').send({
      html: renderPreview(preview, { where: form.where, zone: findZone(request) }).text,
      marks: listMarks(preview),
      seen: article && writeSeen(article.seen),
      isPublishable: article !== null,
      title: article?.title ?? null,
      status: article?.status ?? null,
      updates: article?.matchedArticle?.title ?? null,
      isDoubtful: isDoubtful(preview),
    });
  });

  app.post(PATH, async (request, reply) => {
    requireWriter(request);
    let form: WriteForm;
    try {
      form = await readWriteForm(request);
    } catch (error) {
      return await showProblem(error, EMPTY);
    }
    try {
      if (form.intent === 'open' || form.intent === 'preview') {
        await countPreview(deps, getViewer(request));
        const shown = form.intent === 'open' ? { ...form, seen: null } : form;
        return await show(deps, request, reply, { form: shown, isPreview: true });
      }
      const { answer } = await observePublish(deps, { via: 'desk', request }, () =>
        publishText(deps, getViewer(request).userId, form),
      );
      const path = `/desk/articles/${answer.data.id}`;
      const notice = describePublished(answer, findZone(request));
      if (!acceptsJson(request)) return redirectWithNotice(reply, path, notice);
      setNotice(reply, notice);
      return reply.header('cache-control', 'no-store').send({ path, text: notice.text, action: answer.action });
    } catch (error) {
      return await showProblem(error, form);
    }

    /** Shows the text again with the problem. A script still has the text and gets the error. */
    async function showProblem(error: unknown, form: WriteForm): Promise<FastifyReply> {
      const problem = toProblem(error as FastifyError, request);
      if (acceptsJson(request) || (problem.statusCode >= 500 && problem.statusCode !== 503)) throw error;
      // Without `seen`, the new preview announces the current state of the article.
      const isOutdated = error instanceof RefusedCommandError && error.code === 'NOT_AS_EXPECTED';
      reply.headers(problem.headers);
      return show(deps, request, reply, {
        form: isOutdated ? { ...form, seen: undefined } : form,
        problem: { code: problem.code, message: problem.message, errors: problem.errors },
        status: problem.statusCode,
        // Previews the text only if it was rejected (409, 422), not if the server is overloaded.
        isPreview: form.content !== '' && (problem.statusCode === 409 || problem.statusCode === 422),
      });
    }
  });
}

/** True if the author may not intend this publish: the page then requires a confirmation. */
function isDoubtful({ warnings, article }: TextPreview): boolean {
  const unpublishesArticle = article?.status === 'DRAFT' && article.matchedArticle?.status === 'PUBLISHED';
  return unpublishesArticle || warnings.some(({ code }) => code === 'state_doubtful');
}

const EMPTY: WriteForm = {
  ...{ content: '', fileName: null, intent: 'preview', date: '', time: '', zone: '', where: 'document' },
  ...{ destinations: [], articleId: null, seen: null, isSure: false, key: null },
};

interface Shown {
  form: WriteForm;
  problem?: WriteProblem;
  status?: number;
  isPreview?: boolean;
}

async function show(
  deps: DeskDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, problem, status = 200, isPreview = false }: Shown,
): Promise<FastifyReply> {
  const { userId } = getViewer(request);
  const preview = isPreview ? await previewText(deps, userId, form) : null;
  const page: WritePage = {
    form,
    preview,
    problem: problem ?? null,
    // Each page has a new key, because a key that succeeded accepts only the same text.
    key: randomUUID(),
    seen: writeSeen(chooseSeen(preview, form)),
    userId,
    zone: form.zone || findZone(request),
    ownZone: findZone(request),
    connections: await listConnections(deps.db, userId),
  };
  const head = {
    title: form.articleId ? 'Edit' : 'Write',
    current: 'write',
    script: 'write.js',
    style: 'write.css',
  } as const;
  return sendDeskPage(request, reply, { ...head, status }, renderWritePage(page));
}

/** The expected article: from the preview, or else from the form. */
function chooseSeen(preview: TextPreview | null, form: WriteForm) {
  return preview?.article ? preview.article.seen : (form.seen ?? null);
}
