/**
 * Sends articles in sequence, at the rate that the server allows, and reports each result.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../../context.ts';
import { readCredentials, updateCredentials } from '../../credentials/credentials-file.ts';
import { bindToken, findStoredToken, listTokenOrigins } from '../../credentials/stored-credentials.ts';
import { type ChosenToken, chooseToken, describeMissingToken } from '../../credentials/token.ts';
import { EXIT, Failure, Interrupted, ReportedFailure } from '../../failure.ts';
import { type Endpoint, refuseClearText, resolveEndpoint } from '../../server/endpoint.ts';
import { type Published, publishArticle } from '../../server/publish-article.ts';
import { formatSeconds } from '../../server/retry.ts';
import { openSession, type RunGraphql } from '../../server/session.ts';
import { formatFailureJson, reportFailure, reportWarnings } from '../../terminal/report.ts';
import type { PublishFlags } from './flags.ts';
import type { Job, PublishedJob } from './job.ts';
import { createReporter, type Reporter } from './results.ts';

/**
 * Throws if an article was not published or, with `--wait`, not delivered. For a single file,
 * throws its own failure.
 */
export async function sendAll(jobs: Job[], flags: PublishFlags, context: CliContext): Promise<void> {
  const runGraphql = flags.wait ? await openSession(flags.endpoint, 'Waiting for deliveries', context) : null;
  const { endpoint, token } = await resolveTarget(flags, context);
  await assignRepositoryIds(jobs, context);
  const reporter = createReporter(jobs, flags, context);
  const sent: PublishedJob[] = [];
  const failures: Failure[] = [];
  for (const [index, job] of jobs.entries()) {
    const remaining = jobs.length - index - 1;
    try {
      const published = await send(job, endpoint, token, context);
      sent.push({ job, published });
      if (runGraphql === null) reporter.published(job, published);
      reportWarnings(job.mapToFile(published.warnings), job.file, context.terminal);
      if (remaining > 0) await pause(published.pauseMs, { sent: index + 1, of: jobs.length }, context);
    } catch (error) {
      if (!(error instanceof Failure) || jobs.length === 1) {
        if (runGraphql !== null) reportPublished(sent, reporter);
        throw error;
      }
      failures.push(error);
      report(error, job, reporter, flags, context);
      if (!affectsAllDocuments(error)) continue;
      for (const other of jobs.slice(index + 1)) reporter.notSent(other);
      break;
    }
  }
  if (token.source === 'stored' && sent.length > 0) await bindStoredToken(endpoint.origin, context);
  const undelivered = runGraphql === null ? 0 : await follow(sent, runGraphql, reporter, flags, context);
  conclude({ jobs: jobs.length, sent: sent.length, failures, undelivered });
}

/**
 * Assigns ids to folders without a repository, except in CI, where each run would create another.
 */
async function assignRepositoryIds(jobs: Job[], context: CliContext): Promise<void> {
  const jobsWithoutRepository = jobs.filter(({ source }) => source !== null && source.repository === null);
  if (jobsWithoutRepository.length === 0 || context.config.isCi) return;
  const { createRepositoryId } = await import('../../source/create-repository-id.ts');
  const ids = new Map<string, string | null>();
  for (const { source, payload } of jobsWithoutRepository) {
    if (source === null) continue;
    const id = ids.has(source.root) ? ids.get(source.root) : await createRepositoryId(source.root, context);
    ids.set(source.root, id ?? null);
    if (id) payload.source = { repository: id, path: source.path };
  }
}

/** Reports the published articles after the wait for their deliveries was abandoned. */
function reportPublished(sent: PublishedJob[], reporter: Reporter): void {
  for (const { job, published } of sent) reporter.published(job, published);
}

async function follow(
  sent: PublishedJob[],
  sendQuery: RunGraphql,
  reporter: Reporter,
  flags: PublishFlags,
  context: CliContext,
): Promise<number> {
  const { waitForDeliveries } = await import('./wait.ts');
  return waitForDeliveries(sent, sendQuery, reporter, flags, context);
}

/** Chooses the server and the token. Nothing has been sent if this throws. */
async function resolveTarget(
  flags: PublishFlags,
  { config }: CliContext,
): Promise<{ endpoint: Endpoint; token: ChosenToken }> {
  // Read only if needed: in CI, flags and environment are usually enough.
  let storedPromise: ReturnType<typeof readCredentials> | undefined;
  const readStored = () => (storedPromise ??= readCredentials(config));
  const isEndpointSet = flags.endpoint !== undefined || config.endpoint !== undefined;
  const endpoint = resolveEndpoint(flags.endpoint, config, isEndpointSet ? undefined : (await readStored()).endpoint);
  const token = await chooseToken(flags.token, config, async () =>
    findStoredToken(await readStored(), endpoint.origin),
  );
  if (token === null) throw describeMissingToken(config, endpoint.origin, listTokenOrigins(await readStored()));
  refuseClearText(endpoint, config);
  return { endpoint, token };
}

async function send(job: Job, endpoint: Endpoint, token: ChosenToken, context: CliContext): Promise<Published> {
  const { terminal, signal } = context;
  const onWait = (sentence: string) => terminal.note(terminal.notePaint.dim(sentence));
  try {
    return await publishArticle({ endpoint, token, payload: job.payload, signal, onWait });
  } catch (error) {
    if (error instanceof Interrupted) {
      terminal.note(
        `The server may have received the article. Publish ${terminal.notePaint.plain(job.file)} again to be sure.`,
      );
    }
    throw error instanceof Failure ? locateProblems(error, job) : error;
  }
}

function locateProblems(failure: Failure, { file, original, mapToFile }: Job): Failure {
  if (failure.problems.length === 0) return failure;
  const { exitCode, message, hints, server, cause } = failure;
  const problems = mapToFile(failure.problems);
  const details = { file, text: original, problems, hints, cause };
  return new Failure(exitCode, message, { ...details, ...(server === undefined ? {} : { server }) });
}

async function pause(
  waitMs: number,
  { sent, of }: { sent: number; of: number },
  { terminal, signal }: CliContext,
): Promise<void> {
  if (waitMs === 0) return;
  const notice = `${sent} of ${of} are published; the rate limit is reached. Continuing in ${formatSeconds(waitMs)}.`;
  terminal.note(terminal.notePaint.dim(notice));
  await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function report(failure: Failure, job: Job, reporter: Reporter, flags: PublishFlags, { terminal }: CliContext): void {
  reporter.failed(job, flags.json ? formatFailureJson(failure) : {});
  reportFailure(failure, terminal);
}

/**
 * True if later documents would fail too: the server is down, rejects the token, or is not Courant.
 * False if only this document was rejected.
 */
function affectsAllDocuments({ server }: Failure): boolean {
  return server === undefined || ![400, 409, 413, 422].includes(server.status);
}

/**
 * Binds a stored token without a server to this one. A failure is only a warning, because the
 * articles are published.
 */
async function bindStoredToken(origin: string, { config, terminal, signal }: CliContext): Promise<void> {
  try {
    if ((await readCredentials(config)).developerToken === undefined) return;
    await updateCredentials(config, signal, (stored) => bindToken(stored, origin));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.note(`${terminal.notePaint.yellow('warning:')} ${error.message}`);
  }
}

interface Conclusion {
  jobs: number;
  sent: number;
  failures: Failure[];
  undelivered: number;
}

function conclude({ jobs, sent, failures, undelivered }: Conclusion): void {
  const exitCode =
    failures.some((failure) => failure.exitCode === EXIT.failed) || failures.length === 0 ? EXIT.failed : EXIT.invalid;
  const publishedText = failures.length === 0 ? '' : `${sent} of ${jobs} files were published.`;
  const undeliveredText =
    undelivered === 0 ? '' : `${undelivered} ${undelivered === 1 ? 'delivery has' : 'deliveries have'} not succeeded.`;
  if (publishedText !== '' || undeliveredText !== '')
    throw new ReportedFailure(exitCode, [publishedText, undeliveredText].filter(Boolean).join(' '));
}
