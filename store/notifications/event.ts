/** A notification as its event tells it: the fields of the `data:` line of a stream. */
import type { NotificationPayload, NotificationType } from '../db/json-columns.ts';

export interface Notification {
  id: string;
  /** Counts the notifications of its user. */
  number: number;
  type: NotificationType;
  payload: NotificationPayload;
  createdAt: Date;
}

export interface NotificationEvent extends NotificationPayload {
  id: string;
  type: NotificationType;
  /** ISO 8601. */
  createdAt: string;
}

/** In one order, wherever the payload comes from: `jsonb` keeps none. */
export function describeEvent({ id, type, payload, createdAt }: Omit<Notification, 'number'>): NotificationEvent {
  const fields = Object.entries(payload).toSorted(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other));
  return { id, type, ...Object.fromEntries(fields), createdAt: createdAt.toISOString() };
}

const ORDER: readonly string[] = [
  'actorName',
  'postTitle',
  'platform',
  'sharedUrl',
  'reason',
] satisfies (keyof NotificationPayload)[];
