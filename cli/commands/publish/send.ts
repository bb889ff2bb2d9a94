/**
 * Sends articles in sequence, at the rate that the server allows, and reports each result.
 */
import type { CliContext } from '../../context.ts';
import { readCredentials, updateCredentials } from '../../credentials/credentials-file.ts';
import { bindToken, findStoredToken } from '../../credentials/stored-credentials.ts';
import { type ChosenToken, chooseToken, describeMissingToken } from '../../credentials/token.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { EXIT, Failure, Interrupted, ReportedFailure } from '../../failure.ts';
import { type Endpoint, refuseClearText, resolveEndpoint } from '../../server/endpoint.ts';
import { type Published, publishArticle } from '../../server/publish-article.ts';
import { formatSeconds, sleep } from '../../server/retry.ts';
import { openSession } from '../../server/session.ts';
import { reportFailure, reportWarnings } from '../../terminal/report.ts';
import type { PublishFlags } from './flags.ts';
import { createReporter, type Reporter } from './results.ts';
import { type PublishedDocument, waitForDeliveries } from './wait.ts';

/**
 * Throws if an article was not published or, with `--wait`, not delivered. For a single file,
 * throws its own failure.
 */
export async function sendAll(documents: PreparedDocument[], flags: PublishFlags, context: CliContext): Promise<void> {
  const runGraphql = flags.wait ? await openSession(flags.endpoint, 'Waiting for deliveries', context) : null;
  const target = await resolveTarget(flags, context);
  await assignRepositoryIds(documents, context);
  const reporter = createReporter(documents, flags, context.terminal);
  const { sent, failures } = await sendInOrder(
    documents,
    target,
    { reporter, isWaiting: runGraphql !== null },
    context,
  );
  if (target.token.source === 'stored' && sent.length > 0) await bindStoredToken(target.endpoint.origin, context);
  const undelivered = runGraphql === null ? 0 : await waitForDeliveries(sent, runGraphql, reporter, flags, context);
  const deliveries = undelivered === 1 ? 'delivery has' : 'deliveries have';
  const summary = [
    ...(failures.length === 0 ? [] : [`${sent.length} of ${documents.length} files were published.`]),
    ...(undelivered === 0 ? [] : [`${undelivered} ${deliveries} not succeeded.`]),
  ];
  if (summary.length === 0) return;
  const isInvalid = failures.length > 0 && failures.every(({ exitCode }) => exitCode === EXIT.invalid);
  throw new ReportedFailure(isInvalid ? EXIT.invalid : EXIT.failed, summary.join(' '));
}

/** Continues after a document that is rejected, and stops if the server rejects all requests. */
async function sendInOrder(
  documents: PreparedDocument[],
  target: Target,
  { reporter, isWaiting }: { reporter: Reporter; isWaiting: boolean },
  context: CliContext,
): Promise<{ sent: PublishedDocument[]; failures: Failure[] }> {
  const sent: PublishedDocument[] = [];
  const failures: Failure[] = [];
  for (const [index, document] of documents.entries()) {
    try {
      const published = await send(document, target, context);
      sent.push({ document, published });
      // Otherwise reported with its deliveries.
      if (!isWaiting) reporter.published(document, published);
      reportWarnings(document.mapToFile(published.warnings), document.file, context.terminal);
      await pause(published.pauseMs, { done: index + 1, of: documents.length }, context);
    } catch (error) {
      if (!(error instanceof Failure) || documents.length === 1) {
        for (const earlier of isWaiting ? sent : []) reporter.published(earlier.document, earlier.published);
        throw error;
      }
      failures.push(error);
      reporter.failed(document, error);
      reportFailure(error, context.terminal);
      if (!affectsAllDocuments(error)) continue;
      for (const other of documents.slice(index + 1)) reporter.notSent(other);
      break;
    }
  }
  return { sent, failures };
}

async function pause(
  waitMs: number,
  { done, of }: { done: number; of: number },
  { terminal, signal }: CliContext,
): Promise<void> {
  if (waitMs === 0 || done === of) return;
  const sentence = `${done} of ${of} are published; the rate limit is reached. Continuing in ${formatSeconds(waitMs)}.`;
  terminal.note(terminal.notePaint.dim(sentence));
  await sleep(waitMs, signal);
}

/**
 * Assigns ids to folders without a repository, except in CI, where each run would create another.
 */
async function assignRepositoryIds(documents: PreparedDocument[], context: CliContext): Promise<void> {
  const ids = new Map<string, string | null>();
  for (const { source, payload } of documents) {
    if (source === null || source.repository !== null || context.config.isCi) continue;
    const { createRepositoryId } = await import('../../source/settings-file.ts');
    const id = ids.get(source.root) ?? (await createRepositoryId(source.root, context.terminal));
    ids.set(source.root, id);
    if (id !== null) payload.source = { repository: id, path: source.path };
  }
}

interface Target {
  endpoint: Endpoint;
  token: ChosenToken;
}

/** Chooses the server and the token. Nothing has been sent if this throws. */
async function resolveTarget(flags: PublishFlags, { config }: CliContext): Promise<Target> {
  // Read only if needed: in CI, flags and environment are usually enough.
  let storedPromise: ReturnType<typeof readCredentials> | undefined;
  const readStored = () => (storedPromise ??= readCredentials(config));
  const isEndpointSet = flags.endpoint !== undefined || config.endpoint !== undefined;
  const endpoint = resolveEndpoint(flags.endpoint, config, isEndpointSet ? undefined : (await readStored()).endpoint);
  const token = await chooseToken(flags.token, config, async () =>
    findStoredToken(await readStored(), endpoint.origin),
  );
  if (token === null) throw describeMissingToken(config, endpoint.origin, await readStored());
  refuseClearText(endpoint, config);
  return { endpoint, token };
}

async function send(
  { file, payload, original, mapToFile }: PreparedDocument,
  target: Target,
  { terminal: { note, notePaint: paint }, signal }: CliContext,
): Promise<Published> {
  try {
    return await publishArticle({ ...target, payload, signal, onWait: (sentence) => note(paint.dim(sentence)) });
  } catch (error) {
    if (error instanceof Interrupted)
      note(`The server may have received the article. Publish ${paint.plain(file)} again to be sure.`);
    if (!(error instanceof Failure) || error.details.problems.length === 0) throw error;
    const problems = mapToFile(error.details.problems);
    throw new Failure(error.exitCode, error.message, { ...error.details, file, text: original, problems });
  }
}

/**
 * True if later documents would fail too: the server is down, rejects the token, or is not Courant.
 * False if only this document was rejected.
 */
function affectsAllDocuments({ details: { server } }: Failure): boolean {
  return server === undefined || ![400, 409, 413, 422].includes(server.status);
}

/**
 * Binds a stored token without a server to this one. A failure is only a warning, because the
 * articles are published.
 */
async function bindStoredToken(origin: string, { config, terminal }: CliContext): Promise<void> {
  try {
    if ((await readCredentials(config)).developerToken === undefined) return;
    await updateCredentials(config, (stored) => bindToken(stored, origin));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.warn(error.message);
  }
}
