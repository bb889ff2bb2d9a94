/** `courant publish <file>`: reads, checks and sends the file; with `--dry-run` it shows what would be sent. */
import { DESTINATION_KEYS } from '../../article/types.ts';
import type { CliContext } from '../context.ts';
import { readCredentials, writeCredentials } from '../credentials/credentials-file.ts';
import { bindToken, findStoredToken, listTokenOrigins } from '../credentials/stored-credentials.ts';
import { chooseToken, describeMissingToken } from '../credentials/token.ts';
import { type PreparedDocument, prepareDocument } from '../document/prepare-document.ts';
import { Failure, Interrupted } from '../failure.ts';
import { refuseClearText, resolveEndpoint } from '../server/endpoint.ts';
import { type Published, publishArticle } from '../server/publish-article.ts';
import { formatHarmlessJson } from '../terminal/output.ts';
import { formatFailureJson, reportWarnings } from '../terminal/report.ts';
import { askAboutDoubts } from './publish-doubts.ts';
import { type PublishFlags, toOverrides } from './publish-flags.ts';
import { showPreview } from './publish-preview.ts';

export async function publish(file: string, flags: PublishFlags, context: CliContext): Promise<void> {
  try {
    const overrides = toOverrides(flags);
    const document = await prepareDocument(file, overrides, new Date());
    if (flags.dryRun) return await showPreview(file, document, flags, context);
    const answer = flags.yes ? 'publish' : await askAboutDoubts(file, document, context);
    const chosen =
      answer === 'draft' ? await prepareDocument(file, { ...overrides, draft: true }, new Date()) : document;
    await send(file, chosen, flags, context);
  } catch (error) {
    // The text for people goes to stderr as always; a script gets a JSON object even on failure.
    if (flags.json && error instanceof Failure) context.terminal.out(formatHarmlessJson(formatFailureJson(error)));
    throw error;
  }
}

async function send(file: string, document: PreparedDocument, flags: PublishFlags, context: CliContext): Promise<void> {
  const { config, terminal, signal } = context;
  const paint = terminal.notePaint;
  // Only read if needed: in CI, flags and environment say everything.
  let reading: ReturnType<typeof readCredentials> | undefined;
  const readStored = () => (reading ??= readCredentials(config));
  const isEndpointGiven = flags.endpoint !== undefined || config.endpoint !== undefined;
  const endpoint = resolveEndpoint(flags.endpoint, config, isEndpointGiven ? undefined : (await readStored()).endpoint);
  const token = await chooseToken(flags.token, config, async () =>
    findStoredToken(await readStored(), endpoint.origin),
  );
  if (token === null) throw describeMissingToken(config, endpoint.origin, listTokenOrigins(await readStored()));
  refuseClearText(endpoint, config);

  const published = await publishArticle({
    endpoint,
    token,
    payload: document.payload,
    signal,
    onWait: (sentence) => terminal.note(paint.dim(sentence)),
  }).catch((error: unknown) => {
    if (error instanceof Interrupted)
      terminal.note('The server may have the article already; publish again to be sure.');
    throw error instanceof Failure ? placeProblems(error, file, document) : error;
  });
  if (token.source === 'stored') await keepTokenFor(endpoint.origin, context);
  if (flags.json) terminal.out(formatHarmlessJson(published.body));
  else showPublished(published, document, context);
  reportWarnings(document.placeInFile(published.warnings), file, terminal);
}

/** A token that was stored for no server in particular is this one's from now on. What is published is published, so a failure is told only. */
async function keepTokenFor(origin: string, { config, terminal }: CliContext): Promise<void> {
  try {
    const stored = await readCredentials(config);
    if (stored.developerToken !== undefined) await writeCredentials(config, bindToken(stored, origin));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.note(`${terminal.notePaint.yellow('warning:')} ${error.message}`);
  }
}

function placeProblems(failure: Failure, file: string, document: PreparedDocument): Failure {
  if (failure.problems.length === 0) return failure;
  const { exitCode, message, hints, server, cause } = failure;
  const problems = document.placeInFile(failure.problems);
  return new Failure(exitCode, message, { file, problems, hints, cause, ...(server === undefined ? {} : { server }) });
}

function showPublished({ action, article }: Published, { draft }: PreparedDocument, { terminal }: CliContext): void {
  const paint = terminal.outPaint;
  const verb = action === 'created' ? 'Created' : 'Updated';
  terminal.out(`${paint.green(verb)} ${paint.bold(article.status)} ${paint.plain(article.url)}`);
  if (article.status === 'DRAFT') {
    terminal.out('A draft: nothing is delivered.');
    return;
  }
  const enabled = DESTINATION_KEYS.filter((key) => draft.crossPost[key]);
  const where = enabled.length === 0 ? 'no destination' : `${enabled.join(', ')} (those connected)`;
  if (article.status === 'SCHEDULED') {
    const time = article.scheduledAt ?? draft.scheduledAt?.toISOString() ?? 'the time given';
    terminal.out(`Goes public at ${paint.bold(time)}, then to ${where}.`);
  } else {
    terminal.out(enabled.length === 0 ? 'Not delivered anywhere else.' : `Being delivered to ${where}.`);
  }
}
