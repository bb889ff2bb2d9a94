/** Table of the grid cells: state, tone and commands for every state of a delivery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellArticle, CellConnection } from '../../../api/deliveries/grid/describe-cell.ts';
import { describeCell } from '../../../api/deliveries/grid/describe-cell.ts';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';

const [EARLIER, NOW, LATER] = ['2026-01-01', '2026-06-01', '2026-07-01'].map((day) => new Date(day)) as [
  Date,
  Date,
  Date,
];

const ARTICLE: CellArticle = {
  ...{ status: 'PUBLISHED', imported: false, deletedAt: null, dispatch: 1, dispatchedAt: NOW },
  selected: [...DESTINATION_KEYS],
};
const DELIVERY: GridDelivery = {
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
const FOREM: CellConnection = { destination: 'blogsite_a', platform: 'forem', status: 'active', createdAt: EARLIER };
const MEDIUM: CellConnection = { ...FOREM, destination: 'blogsite_c', platform: 'medium' };
const LINKEDIN: CellConnection = { ...FOREM, destination: 'social_feed', platform: 'linkedin' };
const REFUSED: CellConnection = { ...FOREM, status: 'unauthorised' };

const LIVE = { hasLiveCopy: true, remoteUrl: 'https://there.example/1', deliveredRevision: 1 };
/** Withdrawn and published again; the update that restores the copy was not answered. */
const UNCERTAIN = { withdrawnAt: NOW, isUncertain: true, openAction: 'update' } as const;
const DRAFT = { status: 'DRAFT' } as const;
const NOT_SELECTED = { selected: [] };
const failed = (errorCode: string) => ({ state: 'failed', errorCode, error: 'Why.' }) as const;
const unknown = { state: 'unknown', errorCode: 'outcome_unknown', error: 'Why.', openAction: 'create' } as const;

interface Case {
  name: string;
  delivery: Partial<GridDelivery> | null;
  article?: Partial<CellArticle>;
  connection?: CellConnection | null;
  /** Word, tone, commands; `!` if it needs attention, `~` if it will change without the author. */
  expected: string;
}

const CASES: Case[] = [
  { name: 'no delivery yet, right after the publish', delivery: null, expected: 'Waiting info [] ~' },
  {
    name: 'published before the destination was connected',
    delivery: null,
    connection: { ...FOREM, createdAt: LATER },
    expected: 'Not sent quiet []',
  },
  { name: 'a draft', delivery: null, article: DRAFT, expected: 'Not sent quiet []' },
  { name: 'scheduled', delivery: null, article: { status: 'SCHEDULED' }, expected: 'Scheduled quiet []' },
  { name: 'not selected', delivery: null, article: NOT_SELECTED, expected: 'Not selected quiet []' },
  { name: 'imported', delivery: null, article: { imported: true }, expected: 'Imported quiet []' },
  { name: 'not connected', delivery: null, connection: null, expected: 'Not connected quiet []' },

  { name: 'waiting for its first attempt', delivery: { nextAttemptAt: NOW }, expected: 'Waiting info [skip] ~' },
  {
    name: 'waiting for a retry after a failure',
    delivery: { error: 'Why.', errorCode: 'unavailable', nextAttemptAt: NOW },
    expected: 'Retrying warn [retry skip] ~',
  },
  { name: 'unpublished while waiting', delivery: {}, article: DRAFT, expected: 'Not sent quiet []' },
  { name: 'sending', delivery: { state: 'delivering' }, expected: 'Sending info [] ~' },
  {
    name: 'checking the outcome',
    delivery: { state: 'delivering', error: 'Why.', errorCode: 'outcome_unknown' },
    expected: 'Checking warn [retry skip] ~',
  },

  { name: 'delivered', delivery: { state: 'delivered', ...LIVE }, expected: 'Delivered good [withdraw]' },
  {
    name: 'delivered to a platform without withdrawals',
    delivery: { state: 'delivered', ...LIVE },
    connection: MEDIUM,
    expected: 'Delivered good []',
  },
  {
    name: 'delivered, then disconnected',
    delivery: { state: 'delivered', ...LIVE },
    connection: null,
    expected: 'Delivered good []',
  },
  {
    name: 'delivered, then published again',
    delivery: { state: 'delivered', ...LIVE },
    article: { dispatch: 2 },
    expected: 'Updating info [withdraw] ~',
  },
  {
    name: 'delivered, then unpublished',
    delivery: { state: 'delivered', ...LIVE },
    article: DRAFT,
    expected: 'Withdrawing info [] ~',
  },
  {
    name: 'delivered, then withdrawn by its author',
    delivery: { state: 'delivered', ...LIVE, withdrawRequested: true },
    expected: 'Withdrawing info [retry] ~',
  },
  {
    name: 'the original of an import',
    delivery: { state: 'delivered', ...LIVE },
    article: { imported: true },
    expected: 'Delivered good []',
  },

  { name: 'an update is due', delivery: { state: 'stale', ...LIVE }, expected: 'Updating info [skip withdraw] ~' },
  {
    name: 'an update failed and will be retried',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'unavailable' },
    expected: 'Retrying warn [retry skip withdraw] ~',
  },
  {
    name: 'a platform without updates',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'cannot_update' },
    connection: LINKEDIN,
    expected: 'Outdated warn [withdraw]',
  },
  {
    name: 'an update was skipped',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'skipped' },
    expected: 'Skipped quiet [retry withdraw]',
  },
  {
    name: 'withdrawn by its author',
    delivery: { state: 'stale', withdrawnAt: NOW, withdrawRequested: true },
    expected: 'Withdrawn quiet [retry]',
  },
  {
    name: 'withdrawn with its article',
    delivery: { state: 'stale', withdrawnAt: NOW },
    article: DRAFT,
    expected: 'Withdrawn quiet []',
  },
  {
    name: 'withdrawn, then published again',
    delivery: { state: 'stale', withdrawnAt: NOW },
    expected: 'Updating info [skip] ~',
  },
  {
    name: 'uncertain, then withdrawn again by its author',
    delivery: { state: 'stale', ...UNCERTAIN, withdrawRequested: true },
    expected: 'Withdrawing warn [retry] ~',
  },
  {
    name: 'uncertain, then its article was unpublished',
    delivery: { state: 'stale', ...UNCERTAIN },
    article: DRAFT,
    expected: 'Withdrawing warn [] ~',
  },
  {
    name: 'uncertain, then skipped',
    delivery: { state: 'stale', ...UNCERTAIN, error: 'Why.', errorCode: 'skipped' },
    expected: 'Skipped quiet [retry withdraw]',
  },
  {
    name: 'uncertain, then its account was disconnected',
    delivery: { state: 'held', ...UNCERTAIN, error: 'Why.', errorCode: 'not_connected' },
    article: DRAFT,
    connection: null,
    expected: 'Held warn [skip] ! connect',
  },
  {
    name: 'uncertain, and retries exhausted',
    delivery: { ...failed('gave_up'), ...UNCERTAIN },
    article: DRAFT,
    expected: 'Failed bad [retry skip withdraw] !',
  },
  {
    name: 'no longer selected',
    delivery: { state: 'stale', ...LIVE },
    article: NOT_SELECTED,
    expected: 'Outdated quiet [withdraw]',
  },
  {
    name: 'published while another account was connected',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account', formerAccountName: '@old' },
    expected: 'At @old quiet [retry]',
  },
  {
    name: 'published while another account was connected, then deleted there',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account' },
    expected: 'Not sent quiet [retry]',
  },

  { name: 'rejected', delivery: failed('rejected'), expected: 'Failed bad [retry skip] !' },
  {
    name: 'an update was rejected',
    delivery: { ...failed('rejected'), ...LIVE },
    expected: 'Failed bad [retry skip withdraw] !',
  },
  {
    name: 'rejected, and so is the credential',
    delivery: failed('rejected'),
    connection: REFUSED,
    expected: 'Failed bad [skip] ! connect',
  },
  { name: 'rejected, then unpublished', delivery: failed('rejected'), article: DRAFT, expected: 'Failed quiet []' },
  { name: 'skipped', delivery: failed('skipped'), expected: 'Skipped quiet [retry]' },
  {
    name: 'edited at the destination',
    delivery: { ...failed('drifted'), ...LIVE },
    expected: 'Edited there bad [overwrite skip withdraw] !',
  },
  {
    name: 'a copy that cannot be withdrawn',
    delivery: { ...failed('cannot_withdraw'), ...LIVE },
    article: DRAFT,
    expected: 'Still live bad [skip] !',
  },

  { name: 'unknown, at a platform with lookups', delivery: unknown, expected: 'Unknown bad [retry skip] !' },
  {
    name: 'unknown, at a platform without lookups',
    delivery: unknown,
    connection: MEDIUM,
    expected: 'Unknown bad [] ! settle',
  },
  {
    name: 'unknown, and skipped: a retry checks the outcome',
    delivery: { ...unknown, errorCode: 'skipped' },
    expected: 'Unknown bad [retry]',
  },
  {
    name: 'an update of unknown outcome',
    delivery: { ...unknown, openAction: null, ...LIVE },
    connection: MEDIUM,
    expected: 'Unknown bad [retry skip] !',
  },

  {
    name: 'the credential is rejected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'unauthorised' },
    connection: REFUSED,
    expected: 'Held warn [skip] ! connect',
  },
  {
    name: 'disconnected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    expected: 'Held warn [skip] ! connect',
  },
  {
    name: 'held, then connected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    expected: 'Waiting info [skip] ~ !',
  },
  {
    name: 'held, then unpublished',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    article: DRAFT,
    expected: 'Not sent quiet []',
  },
];

for (const { name, delivery, article = {}, connection = FOREM, expected } of CASES) {
  test(`${name}: ${expected}`, () => {
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
    const commands = cell.commands.map(({ command }) => command).join(' ');
    const actual = [cell.stateText, cell.tone, `[${commands}]`, ...marks.filter(Boolean)].join(' ');
    assert.equal(actual, expected);
  });
}

/** Computes the columns of the view, which `cells-of-rows.test.ts` tests. */
function derive(columns: Partial<GridDelivery>, { status, imported, selected }: CellArticle): GridDelivery {
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

test('a reason names the desk’s buttons instead of commands, and only web addresses become links', () => {
  const delivery = {
    ...DELIVERY,
    ...unknown,
    error: 'Say it (settleDelivery), or retryDelivery.',
    remoteUrl: 'javascript:alert(1)',
  };
  const { reason, url } = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article: ARTICLE });
  assert.equal(reason, 'Say it (“Resolve”), or “Retry”.');
  assert.equal(url, null);
});

const UNCERTAIN_COPY = 'readers may find the copy';

test('a cell reports an uncertain copy besides the error, and never as withdrawn (F27)', () => {
  const print = (delivery: Partial<GridDelivery>, article: Partial<CellArticle> = DRAFT) =>
    describeCell({
      ...{ destination: 'blogsite_a', connection: FOREM, article: { ...ARTICLE, ...article } },
      delivery: derive({ ...UNCERTAIN, ...delivery }, { ...ARTICLE, ...article }),
    }).reason ?? '';
  for (const state of ['stale', 'delivering'] as const)
    assert.match(print({ state }), new RegExp(`${UNCERTAIN_COPY}\\.$`));
  assert.match(print({ state: 'stale', error: 'It was cut.' }), new RegExp(`${UNCERTAIN_COPY}\\. It was cut\\.$`));
  assert.doesNotMatch(print({ state: 'stale', isUncertain: false, hasLiveCopy: true }), new RegExp(UNCERTAIN_COPY));
});
