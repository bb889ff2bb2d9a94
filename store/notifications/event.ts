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

export function describeEvent({ id, type, payload, createdAt }: Omit<Notification, 'number'>): NotificationEvent {
  return { id, type, ...payload, createdAt: createdAt.toISOString() };
}
