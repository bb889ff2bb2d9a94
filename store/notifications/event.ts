/** The form of a notification in the `data:` line of an event stream. */
import { type NotificationPayload, type NotificationType, PAYLOAD_FIELDS } from './types.ts';

export interface Notification {
  id: string;
  /** Counts the notifications of one user. */
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

/** Orders the fields, because `jsonb` does not preserve their order. */
export function describeEvent({ id, type, payload, createdAt }: Omit<Notification, 'number'>): NotificationEvent {
  const fields = PAYLOAD_FIELDS.flatMap((name) => (payload[name] === undefined ? [] : [[name, payload[name]]]));
  return { id, type, ...Object.fromEntries(fields), createdAt: createdAt.toISOString() };
}
