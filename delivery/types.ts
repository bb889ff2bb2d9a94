/** The words in which a delivery is spoken of, in the ledger, in the activities and in the workflows. */

export type DeliveryState = 'pending' | 'delivering' | 'delivered' | 'stale' | 'failed' | 'unknown' | 'held';
export type DeliveryAction = 'create' | 'update' | 'withdraw';
export type ConnectionStatus = 'active' | 'unauthorised';
