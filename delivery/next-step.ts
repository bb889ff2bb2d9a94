/**
 * What is to be done for one article at one destination, decided from the rows alone and pure, so that a step that is
 * asked for twice, or late, answers what is true now.
 */
import type { ArticleStatus } from '../article/types.ts';
import type { ConnectionStatus, DeliveryAction, DeliveryState } from './types.ts';

export interface DeliverySituation {
  article: {
    status: ArticleStatus;
    dispatch: number;
    /** Wanted there by `cross_post`, and not published with `syndicationMode: "local"`. */
    wanted: boolean;
    /** PUBLISHED, not imported, body not empty, author not suspended. */
    eligible: boolean;
    /** Hash of what the destination is given. */
    hash: string;
  };
  connection: { id: string; status: ConnectionStatus } | null;
  delivery: {
    state: DeliveryState;
    remoteId: string | null;
    deliveredHash: string | null;
    withdrawnAt: Date | null;
    handledDispatch: number;
    /** The last publish that its author does not want sent here. */
    skippedDispatch: number;
    /** The author wants the copy taken back, whatever the article's state. */
    withdrawRequested: boolean;
    inFlightAction: DeliveryAction | null;
    /** Since the attempt in flight was marked, by the database's clock; null where none is. */
    inFlightForMs: number | null;
  };
}

export type DeliveryStep =
  /**
   * `settled`: the row can be marked as delivered at this revision, since the destination carries this very content. `skipped`: its author
   * does not want it.
   */
  | { kind: 'nothing'; why: string; settled: boolean; skipped?: true }
  /** An attempt to create was begun and its end is not known. */
  | { kind: 'reconcile'; inFlightForMs: number }
  | { kind: 'hold'; code: string; reason: string }
  | { kind: DeliveryAction; connectionId: string };

export function decideStep({ article, connection, delivery }: DeliverySituation): DeliveryStep {
  if (delivery.inFlightAction === 'create') {
    // Before anything else: whatever happened since, a post may be out there that the row does not know.
    if (!connection)
      return hold('not_connected', 'The destination was disconnected while a post was being made there.');
    if (delivery.state === 'unknown' && isHandled(delivery, article.dispatch))
      return nothing('its author was asked to look');
    return { kind: 'reconcile', inFlightForMs: delivery.inFlightForMs ?? 0 };
  }
  const live = delivery.remoteId !== null && delivery.withdrawnAt === null;
  if (article.status === 'DRAFT') {
    return live ? decideWithdrawal({ article, connection, delivery }) : nothing('a draft is not delivered');
  }
  if (delivery.withdrawRequested) {
    return live ? decideWithdrawal({ article, connection, delivery }) : nothing('withdrawn on its author’s word');
  }
  if (article.status === 'SCHEDULED') return nothing('scheduled: not due yet');
  if (!article.eligible) return nothing('not eligible for promotion');
  if (!article.wanted) return nothing('not asked for');
  if (live && delivery.deliveredHash === article.hash)
    return { kind: 'nothing', why: 'carried already', settled: true };
  if (delivery.skippedDispatch >= article.dispatch) return skipped();
  if (isHandled(delivery, article.dispatch)) return nothing('this publish was answered already');
  if (!connection) return hold('not_connected', 'The destination is not connected. Connect it and publish again.');
  if (connection.status === 'unauthorised') {
    return hold(
      'unauthorised',
      'The destination refused the credential. Reconnect it; this delivery goes out by itself then.',
    );
  }
  return act(delivery.remoteId === null ? 'create' : 'update', connection.id);
}

function decideWithdrawal({ article, connection, delivery }: DeliverySituation): DeliveryStep {
  if (delivery.skippedDispatch >= article.dispatch) return skipped();
  if (isHandled(delivery, article.dispatch)) return nothing('this publish was answered already');
  if (!connection) return hold('not_connected', 'Not connected: the copy stays as it is.');
  if (connection.status === 'unauthorised') {
    return hold('unauthorised', 'The destination refused the credential: the copy stays as it is until you reconnect.');
  }
  return act('withdraw', connection.id);
}

/** An end that needs the author holds until the author publishes again; a repeated signal does not count as that. */
function isHandled(delivery: DeliverySituation['delivery'], dispatch: number): boolean {
  return (delivery.state === 'failed' || delivery.state === 'unknown') && delivery.handledDispatch >= dispatch;
}

function nothing(why: string): DeliveryStep {
  return { kind: 'nothing', why, settled: false };
}

function skipped(): DeliveryStep {
  return { kind: 'nothing', why: 'skipped on its author’s word', settled: false, skipped: true };
}

function hold(code: string, reason: string): DeliveryStep {
  return { kind: 'hold', code, reason };
}

function act(kind: DeliveryAction, connectionId: string): DeliveryStep {
  return { kind, connectionId };
}
