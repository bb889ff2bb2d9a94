/** An article, its deliveries and connections, for tests of grid cells. */
import { type CellArticle, type CellConnection, describeCell } from '../../../../api/deliveries/grid/describe-cell.ts';
import { DESTINATION_KEYS } from '../../../../article/types.ts';
import type { GridDelivery } from '../../../../store/deliveries/grid.ts';

export const [EARLIER, NOW, LATER] = ['2026-01-01', '2026-06-01', '2026-07-01'].map((day) => new Date(day)) as [
  Date,
  Date,
  Date,
];

export const ARTICLE: CellArticle = {
  ...{ status: 'PUBLISHED', imported: false, deletedAt: null, dispatch: 1, dispatchedAt: NOW },
  selected: [...DESTINATION_KEYS],
};
export const DELIVERY: GridDelivery = {
  ...{
    articleId: 'a',
    destination: 'blogsite_a',
    state: 'pending',
    presence: 'absent',
    remoteId: null,
    remoteUrl: null,
  },
  ...{ withdrawnAt: null, deliveredRevision: null, errorCode: null, error: null, nextAttemptAt: null, attempts: 1 },
  ...{ platform: null, account: null, formerAccountName: null, connectionStatus: null, connectedPlatform: null },
  ...{ openReason: null, lastReason: null, statusReason: null, openAction: null, handledDispatch: 1 },
  ...{ shouldBeDelivered: true, shouldBeWithdrawn: false, hasLiveCopy: false, isUncertain: false, needsAuthor: false },
  withdrawRequested: false,
};
export const FOREM: CellConnection = {
  destination: 'blogsite_a',
  platform: 'forem',
  status: 'active',
  createdAt: EARLIER,
};
export const MEDIUM: CellConnection = { ...FOREM, destination: 'blogsite_c', platform: 'medium' };
export const LINKEDIN: CellConnection = { ...FOREM, destination: 'social_feed', platform: 'linkedin' };
export const REFUSED: CellConnection = { ...FOREM, status: 'unauthorised' };

export const LIVE = { hasLiveCopy: true, remoteUrl: 'https://there.example/1', deliveredRevision: 1 };
/** Withdrawn and published again; the update that restores the copy was not answered. */
export const UNCERTAIN = { withdrawnAt: NOW, isUncertain: true, openAction: 'update' } as const;
export const DRAFT = { status: 'DRAFT' } as const;
export const NOT_SELECTED = { selected: [] };
export const failed = (errorCode: string) => ({ state: 'failed', errorCode, error: 'Why.' }) as const;
export const unknown = { state: 'unknown', errorCode: 'outcome_unknown', error: 'Why.', openAction: 'create' } as const;

export interface StatedCell {
  name: string;
  delivery: Partial<GridDelivery> | null;
  article?: Partial<CellArticle>;
  connection?: CellConnection | null;
  /**
   * Word, tone, commands with their texts (`*`: it reverses an earlier one); `!` if it needs
   * attention, `~` if it will change without the author.
   */
  expected: string;
}

/** Describes a cell in one line, as `expected` states it. */
export function printCell({ delivery, article = {}, connection = FOREM }: StatedCell): string {
  const destination = connection?.destination ?? 'blogsite_a';
  const of = { ...ARTICLE, ...article };
  const row = delivery && derive({ destination, platform: connection?.platform ?? 'forem', ...delivery }, of);
  const cell = describeCell({ destination, connection, delivery: row, article: of });
  const marks = [
    cell.isUnderWay && '~',
    cell.needsAuthor && '!',
    cell.canSettle && 'settle',
    cell.needsConnection && 'connect',
  ];
  const commands = cell.commands
    .map(({ command, text, undoes }) => `${command}${undoes ? '*' : ''}: ${text}`)
    .join(', ');
  return [cell.stateText, cell.tone, `[${commands}]`, ...marks.filter(Boolean)].join(' ');
}

/** Computes the columns of the view, which `cells-of-rows.test.ts` tests. */
export function derive(columns: Partial<GridDelivery>, { status, imported, selected }: CellArticle): GridDelivery {
  const row = { ...DELIVERY, ...columns };
  const isPublic = status === 'PUBLISHED';
  const hasLiveCopy = row.hasLiveCopy || row.isUncertain;
  const shouldBeDelivered = selected.includes(row.destination) && !imported && isPublic && !row.withdrawRequested;
  const shouldBeWithdrawn = row.withdrawRequested === true || !(isPublic || imported);
  const isStuck = ['failed', 'unknown', 'held'].includes(row.state) && row.errorCode !== 'skipped';
  return {
    ...row,
    hasLiveCopy,
    shouldBeDelivered,
    shouldBeWithdrawn,
    needsAuthor: isStuck && (row.state === 'unknown' || hasLiveCopy || shouldBeDelivered),
  };
}
