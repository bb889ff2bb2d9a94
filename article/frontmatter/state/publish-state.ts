/** Decides the state: explicit `status`, then `draft`/`published`, then a future `scheduled_at`. */
import type { ArticleStatus, Notice, NoticeCode } from '../../types.ts';
import { describeNode } from '../field-node.ts';
import type { FieldReader } from '../field-reader.ts';
import { listTimeWarnings, type PublishTime, readPublishTime } from '../publish-time.ts';

export interface PublishState {
  status: ArticleStatus;
  scheduledAt: Date | null;
  /** The zone or offset that the author wrote; null for UTC. */
  scheduledZone: string | null;
}

const NO_SCHEDULE = { scheduledAt: null, scheduledZone: null } as const;

const STATUSES = ['DRAFT', 'PUBLISHED', 'SCHEDULED'] as const;

/** Errors go to the reader's problems, contradictions to `warnings`. */
export function resolvePublishState(reader: FieldReader, now: Date, warnings: Notice[]): PublishState {
  const requested: RequestedState = {
    explicit: readStatus(reader),
    draft: reader.flag('draft'),
    published: reader.flag('published'),
  };
  const time = readScheduledAt(reader, warnings);
  const warn = (code: NoticeCode, path: string, message: string): void => {
    warnings.push({ code, path, message, ...reader.node(path)?.place });
  };
  const statusNode = reader.node('status');
  if (requested.explicit === 'SCHEDULED' && statusNode !== undefined && reader.node('scheduled_at') === undefined) {
    reader.report('scheduled_at', 'status is SCHEDULED, so scheduled_at is required.', statusNode);
  }
  const contradiction = findContradiction(requested);
  if (contradiction !== null) {
    const resolution =
      requested.explicit === null ? 'the article stays a draft' : `status: ${requested.explicit} is used`;
    warn(
      'state_contradiction',
      statusNode === undefined ? 'draft' : 'status',
      `${contradiction} contradict each other; ${resolution}.`,
    );
  }
  return applyPublishTime(requested, time, now, warn);
}

interface RequestedState {
  explicit: ArticleStatus | null;
  draft: boolean | null;
  published: boolean | null;
}

function applyPublishTime(
  { explicit, draft, published }: RequestedState,
  time: PublishTime | null,
  now: Date,
  warn: (code: NoticeCode, path: string, message: string) => void,
): PublishState {
  const isDraftRequested = draft === true || published === false;
  const isFuture = time !== null && time.at.getTime() > now.getTime();
  const status = explicit ?? (isDraftRequested ? 'DRAFT' : isFuture ? 'SCHEDULED' : 'PUBLISHED');
  if (time === null) return { status, ...NO_SCHEDULE };
  if (status === 'SCHEDULED' && isFuture) return { status, scheduledAt: time.at, scheduledZone: time.zone };
  if (status === 'DRAFT') {
    const reason = explicit === 'DRAFT' ? 'status: DRAFT' : draft === true ? 'draft: true' : 'published: false';
    if (isFuture)
      warn('scheduled_at_ignored', 'scheduled_at', `${reason} leaves the article a draft, so scheduled_at is ignored.`);
    return { status, ...NO_SCHEDULE };
  }
  const message = isFuture
    ? 'status: PUBLISHED publishes now, so scheduled_at is ignored.'
    : `scheduled_at (${time.at.toISOString()}) is in the past; the article is published now.`;
  warn(isFuture ? 'scheduled_at_ignored' : 'scheduled_in_past', 'scheduled_at', message);
  return { status: 'PUBLISHED', ...NO_SCHEDULE };
}

export function isStateExplicit(reader: FieldReader, status: ArticleStatus): boolean {
  const node = reader.node('status');
  return node?.kind === 'scalar' && node.text.trim().toUpperCase() === status;
}

function readStatus(reader: FieldReader): ArticleStatus | null {
  const node = reader.node('status');
  if (node === undefined) return null;
  const word = node.kind === 'scalar' ? node.text.trim().toUpperCase() : '';
  const status = STATUSES.find((name) => name === word);
  if (status === undefined) {
    reader.report('status', `status must be DRAFT, PUBLISHED or SCHEDULED; found ${describeNode(node)}.`, node);
  }
  return status ?? null;
}

function readScheduledAt(reader: FieldReader, warnings: Notice[]): PublishTime | null {
  const node = reader.node('scheduled_at');
  if (node === undefined) return null;
  const read = readPublishTime(node.kind === 'scalar' ? node.text : '');
  if ('problem' in read) {
    reader.report('scheduled_at', `scheduled_at ${read.problem}; found ${describeNode(node)}.`, node);
    return null;
  }
  for (const warning of listTimeWarnings(read, 'scheduled_at')) warnings.push({ ...warning, ...node.place });
  return read;
}

/** The two contradictory settings as the author wrote them; null without a contradiction. */
function findContradiction({ explicit, draft, published }: RequestedState): string | null {
  if (explicit === null) {
    if (draft === true && published === true) return 'draft: true and published: true';
    return draft === false && published === false ? 'draft: false and published: false' : null;
  }
  const isDraft = explicit === 'DRAFT';
  if (draft === !isDraft) return `status: ${explicit} and draft: ${draft}`;
  return published === isDraft ? `status: ${explicit} and published: ${published}` : null;
}
