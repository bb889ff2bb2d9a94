/** Prints the result of each file: as sentences, as a table, or as one JSON object per line. */
import stringWidth from 'fast-string-width';
import { nameDestination } from '../../../destinations/name-destination.ts';
import type { CliContext } from '../../context.ts';
import type { Published } from '../../server/publish-article.ts';
import { formatLocalTime } from '../../terminal/local-time.ts';
import { formatJsonLine, neutraliseLine } from '../../terminal/output.ts';
import { type Delivery, hasSucceeded, showDeliveries } from '../deliveries.ts';
import type { PublishFlags } from './flags.ts';
import type { Job } from './job.ts';

export interface Reporter {
  published(job: Job, published: Published): void;
  /** With `--wait`: called once the deliveries have an outcome, or the wait has ended. */
  delivered(job: Job, published: Published, deliveries: Delivery[]): void;
  /** `json` describes the failure, for `--json`. */
  failed(job: Job, json: Record<string, unknown>): void;
  /** Called for files that are not sent because the server rejects all requests. */
  notSent(job: Job): void;
}

export function createReporter(jobs: Job[], { json }: Pick<PublishFlags, 'json'>, context: CliContext): Reporter {
  if (json) return createJsonReporter(context);
  const showRow = createTable(jobs, context);
  const show: Show =
    jobs.length === 1
      ? showSentences
      : (job, { action, article }) => showRow(job, [action, article.status, article.url]);
  return {
    published: (job, published) => show(job, published, context),
    delivered(job, published, deliveries) {
      show(job, published, context, deliveries);
      showDeliveries(deliveries, context.terminal);
    },
    failed: (job) => showRow(job, ['failed', '', '']),
    notSent: (job) => showRow(job, ['not sent', '', '']),
  };
}

function createJsonReporter({ terminal }: CliContext): Reporter {
  const write = ({ file }: Job, value: Record<string, unknown>) => terminal.out(formatJsonLine({ file, ...value }));
  return {
    published: (job, { body }) => write(job, body),
    delivered: (job, { body }, deliveries) =>
      write(job, { ...body, delivered: deliveries.every(hasSucceeded), deliveries }),
    failed: write,
    notSent: (job) => write(job, { success: false, code: 'not_sent', message: NOT_SENT, errors: [] }),
  };
}

const NOT_SENT = 'Not sent, because the server rejected an earlier file or did not respond.';

type Show = (job: Job, published: Published, context: CliContext, deliveries?: Delivery[]) => void;

function showSentences(
  job: Job,
  { action, article }: Published,
  { terminal }: CliContext,
  deliveries?: Delivery[],
): void {
  const paint = terminal.outPaint;
  const verb = action === 'created' ? 'Created' : 'Updated';
  terminal.out(`${paint.green(verb)} ${paint.bold(article.status)} ${paint.plain(article.url)}`);
  if (article.status === 'DRAFT') {
    terminal.out('Saved as a draft. Nothing is delivered.');
    return;
  }
  const { enabled } = job;
  const destinations =
    enabled.length === 0 ? 'no destination' : `${enabled.map((key) => nameDestination(key)).join(', ')} (if connected)`;
  if (article.status === 'SCHEDULED') {
    const time = formatLocalTime(article.scheduledAt ?? job.scheduledAt?.toISOString() ?? 'the scheduled time');
    terminal.out(`Goes public at ${paint.bold(time)}, then to ${destinations}.`);
  } else if (deliveries?.length === 0) {
    terminal.out('Not delivered: none of its destinations is connected.');
  } else if (deliveries === undefined) {
    terminal.out(
      enabled.length === 0 ? 'Not delivered: no destination is selected.' : `Delivering to ${destinations}.`,
    );
  }
}

type ShowRow = (job: Job, cells: [outcome: string, status: string, url: string]) => void;

/** The file is the first column, because its width is known in advance. */
function createTable(jobs: Job[], { terminal }: CliContext): ShowRow {
  const paint = terminal.outPaint;
  const width = jobs.reduce((max, { file }) => Math.max(max, measure(file)), 0);
  return ({ file }, [outcome, status, url]) => {
    const gap = ' '.repeat(width - measure(file));
    const colour = outcome === 'created' || outcome === 'updated' ? paint.green : paint.red;
    terminal.out(
      `${paint.plain(file)}${gap}  ${colour(outcome.padEnd(8))}  ${paint.plain(status.padEnd(9))}  ${paint.plain(url)}`.trimEnd(),
    );
  };
}

function measure(file: string): number {
  return stringWidth(neutraliseLine(file));
}
