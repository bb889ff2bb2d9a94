/**
 * The codes of a delivery and its attempts, beside those of rejections. The view `delivery_states`
 * and `delivery/` produce them.
 */
import type { CodeEntry } from '../article/types.ts';
import type { RejectionCode } from '../destinations/types.ts';

export const DELIVERY_CODES = {
  blocked: [
    'A server in front of the platform blocks this service, four times in a row.',
    'Retry later, or publish there manually.',
  ],
  drifted: [
    'The copy was edited at the destination. Nothing was sent.',
    '`overwriteDelivery` sends the article anyway; the edit is lost.',
  ],
  gave_up: ['No attempt succeeded within a day.', 'Retry once the cause in the reason is gone.'],
  interrupted: [
    'An internal problem interrupted the delivery; the log of the worker has the details.',
    'Nothing: it is tried again for a day.',
  ],
  made_nothing: ['The look-up found that the attempt created no post.', 'Nothing.'],
  not_connected: ['The destination is not connected.', 'Connect the same account again, or another one.'],
  other_account: [
    'The article was published while another account, or none, was connected.',
    'Send it with `sendArticles`, or publish it again.',
  ],
  outcome_unknown: [
    'It is unknown whether the last attempt created or changed the copy.',
    'In state `UNKNOWN`: check at the destination, then use `settleDelivery`. Otherwise nothing: it is looked up.',
  ],
  rate_limited: ['The destination requires a pause.', 'Nothing: the delivery is sent after the pause.'],
  skipped: ['Skipped at the author’s request.', 'Nothing: the next publish is sent. `retryDelivery` sends it now.'],
  unauthorised: ['The destination refuses the credential.', 'Connect the destination again.'],
  unavailable: ['The destination is not responding correctly.', 'Nothing: it is tried again for a day.'],
} as const satisfies Record<string, CodeEntry>;

export type { RejectionCode };

export type DeliveryCode = keyof typeof DELIVERY_CODES | RejectionCode;
