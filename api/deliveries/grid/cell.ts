/** One article at one destination, as the desk's grid shows it. */
import type { ArticleStatus, DestinationKey } from '../../../article/types.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import type { DeliveryCommand } from '../run-command.ts';

export interface CellArticle {
  status: ArticleStatus;
  /** The destinations for which it is selected. */
  selected: readonly DestinationKey[];
  imported: boolean;
  deletedAt: Date | null;
  /** Counts the accepted publish requests. */
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
  /** Null where the destination is not connected. */
  connection: CellConnection | null;
  /** Null where the ledger has no row yet. */
  delivery: GridDelivery | null;
}

export interface Cell {
  destination: DestinationKey;
  /** What the destination is called there: "DEV / Forem". */
  label: string;
  /** The ledger has a row for it. */
  isKnown: boolean;
  word: string;
  tone: Tone;
  /** The remote post. */
  url: string | null;
  /** What happened, and what to do next. */
  reason: string | null;
  nextAttemptAt: Date | null;
  /** Those that would change something now; the first is what most authors will want. */
  commands: readonly CellCommand[];
  /** Its author can say how the attempt ended: the post is there, or it is not. */
  canSettle: boolean;
  /** How many there were: what the author finds there is said of the last of them. */
  attempts: number;
  /** The destination has to be connected (again) before anything goes on. */
  needsConnection: boolean;
  needsAuthor: boolean;
  /** It changes by itself soon. */
  isUnderWay: boolean;
}

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet';

export interface CellCommand {
  command: DeliveryCommand;
  text: string;
  /** It takes back what its author ordered before: nothing to be done for many at once. */
  undoes?: true;
}
