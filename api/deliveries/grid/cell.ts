/** Types of a grid cell: one article at one destination. */
import type { ArticleStatus, DestinationKey } from '../../../article/types.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import type { DeliveryCommand } from '../run-command.ts';

export interface CellArticle {
  status: ArticleStatus;
  /** Destinations for which the article is selected. */
  selected: readonly DestinationKey[];
  imported: boolean;
  deletedAt: Date | null;
  /** Number of accepted publish requests. */
  dispatch: number;
  dispatchedAt: Date;
}

export interface CellConnection {
  destination: DestinationKey;
  platform: string;
  status: 'active' | 'unauthorised';
  createdAt: Date;
}

export interface CellFacts {
  destination: DestinationKey;
  article: CellArticle;
  /** Null if the destination is not connected. */
  connection: CellConnection | null;
  /** Null if there is no delivery row yet. */
  delivery: GridDelivery | null;
}

export interface Cell {
  destination: DestinationKey;
  /** Name of the destination: "DEV". */
  label: string;
  /** True if there is a delivery row. */
  hasDelivery: boolean;
  stateText: string;
  tone: Tone;
  /** Address of the copy. */
  url: string | null;
  /** What happened, and what to do next. */
  reason: string | null;
  nextAttemptAt: Date | null;
  /** Commands that would change something now, the most likely first. */
  commands: readonly CellCommand[];
  /** True if the author can settle the unknown outcome of the last attempt. */
  canSettle: boolean;
  /** Number of attempts. Settling refers to the last one. */
  attempts: number;
  /** True if the delivery continues only after the destination is connected (again). */
  needsConnection: boolean;
  needsAuthor: boolean;
  /** True if the state will change soon without the author. */
  isUnderWay: boolean;
}

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet';

export interface CellCommand {
  command: DeliveryCommand;
  text: string;
  /** True if it reverses an earlier command of the author. Bulk retries omit it. */
  undoes?: true;
}
