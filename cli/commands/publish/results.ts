/** Prints the result of each file: as sentences, as a table, or as one JSON object per line. */
import stringWidth from 'fast-string-width';
import { nameDestination } from '../../../destinations/registry.ts';
import { listDestinations, type PreparedDocument } from '../../document/prepare-document.ts';
import type { Failure } from '../../failure.ts';
import type { Published } from '../../server/publish-article.ts';
import { formatJsonLine, formatLocalTime, neutraliseLine, type Terminal } from '../../terminal/output.ts';
import { formatFailureJson } from '../../terminal/report.ts';
import { type Delivery, hasSucceeded, showDeliveries } from '../deliveries.ts';
import type { PublishFlags } from './flags.ts';

export interface Reporter {
  /** With `--wait`: called once the deliveries have an outcome, or without them if the wait failed. */
  published(document: PreparedDocument, published: Published, deliveries?: Delivery[]): void;
  failed(document: PreparedDocument, failure: Failure): void;
  /** Called for files that are not sent because the server rejects all requests. */
  notSent(document: PreparedDocument): void;
}

export function createReporter(
  documents: Pick<PreparedDocument, 'file'>[],
  { json }: Pick<PublishFlags, 'json'>,
  terminal: Terminal,
): Reporter {
  if (json) return createJsonReporter(terminal);
  const showRow = createTable(documents, terminal);
  return {
    published(document, published, deliveries) {
      const { action, article } = published;
      if (documents.length === 1) showSentences(document, published, terminal, deliveries);
      else showRow(document, action, article.status, article.url);
      showDeliveries(deliveries ?? [], terminal);
    },
    failed: (document) => showRow(document, 'failed'),
    notSent: (document) => showRow(document, 'not sent'),
  };
}

function createJsonReporter({ out }: Terminal): Reporter {
  return {
    published({ file }, { body }, deliveries) {
      const outcome = deliveries && { delivered: deliveries.every(hasSucceeded), deliveries };
      out(formatJsonLine({ file, ...body, ...outcome }));
    },
    failed: ({ file }, failure) => out(formatJsonLine({ ...formatFailureJson(failure), file })),
    notSent: ({ file }) =>
      out(formatJsonLine({ file, success: false, code: 'not_sent', message: NOT_SENT, errors: [] })),
  };
}

const NOT_SENT = 'Not sent, because the server rejected an earlier file or did not respond.';

function showSentences(
  { draft }: PreparedDocument,
  { action, article }: Published,
  { out, outPaint: paint }: Terminal,
  deliveries?: Delivery[],
): void {
  const verb = action === 'created' ? 'Created' : 'Updated';
  out(`${paint.green(verb)} ${paint.bold(article.status)} ${paint.plain(article.url)}`);
  const names = listDestinations(draft).map((key) => nameDestination(key));
  const destinations = names.length === 0 ? 'no destination' : `${names.join(', ')} (if connected)`;
  if (article.status === 'DRAFT') out('Saved as a draft. Nothing is delivered.');
  else if (article.status === 'SCHEDULED') {
    const time = formatLocalTime(article.scheduledAt ?? draft.scheduledAt?.toISOString() ?? 'the scheduled time');
    out(`Goes public at ${paint.bold(time)}, then to ${destinations}.`);
  } else if (deliveries?.length === 0) out('Not delivered: none of its destinations is connected.');
  else if (deliveries === undefined)
    out(names.length === 0 ? 'Not delivered: no destination is selected.' : `Delivering to ${destinations}.`);
}

/** The file is the first column, because its width is known in advance. */
function createTable(documents: Pick<PreparedDocument, 'file'>[], { out, outPaint: paint }: Terminal) {
  const measure = (file: string) => stringWidth(neutraliseLine(file));
  const width = documents.reduce((max, { file }) => Math.max(max, measure(file)), 0);
  return ({ file }: PreparedDocument, outcome: string, status = '', url = '') => {
    const gap = ' '.repeat(width - measure(file));
    const colour = outcome === 'created' || outcome === 'updated' ? paint.green : paint.red;
    const cells = [colour(outcome.padEnd(8)), paint.plain(status.padEnd(9)), paint.plain(url)];
    out(`${paint.plain(file)}${gap}  ${cells.join('  ')}`.trimEnd());
  };
}
