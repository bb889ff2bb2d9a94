/** Table of the grid cells of deliveries that cannot continue or are no longer due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DRAFT,
  failed,
  LIVE,
  MEDIUM,
  NOT_SELECTED,
  NOW,
  printCell,
  REFUSED,
  type StatedCell,
  UNCERTAIN,
  unknown,
} from './support/cell-rows.ts';

/** An account that must be connected again first: nothing continues or can be sent. */
const REFUSED_CASES: StatedCell[] = [
  { name: 'waiting', delivery: {}, expected: 'Waiting info [skip: Skip]' },
  { name: 'sending', delivery: { state: 'delivering' }, expected: 'Sending info []' },
  { name: 'unpublished', delivery: { state: 'delivered', ...LIVE }, article: DRAFT, expected: 'Withdrawing info []' },
  {
    name: 'withdrawn',
    delivery: { state: 'delivered', ...LIVE, withdrawRequested: true },
    expected: 'Withdrawing info []',
  },
  {
    name: 'published again',
    delivery: { state: 'delivered', ...LIVE },
    article: { dispatch: 2 },
    expected: 'Updating info [withdraw: Withdraw]',
  },
  {
    name: 'a failed update',
    delivery: { state: 'stale', ...LIVE, error: 'Why.' },
    expected: 'Retrying warn [skip: Skip, withdraw: Withdraw]',
  },
  {
    name: 'a skipped update',
    delivery: { state: 'stale', ...LIVE, errorCode: 'skipped' },
    expected: 'Skipped quiet [withdraw: Withdraw]',
  },
  { name: 'another account', delivery: { state: 'stale', errorCode: 'other_account' }, expected: 'Not sent quiet []' },
  {
    name: 'a withdrawn copy',
    delivery: { state: 'stale', withdrawnAt: NOW, withdrawRequested: true },
    expected: 'Withdrawn quiet []',
  },
  { name: 'skipped', delivery: failed('skipped'), expected: 'Skipped quiet []' },
  {
    name: 'edited there',
    delivery: { ...failed('drifted'), ...LIVE },
    expected: 'Edited there bad [skip: Skip, withdraw: Withdraw] ! connect',
  },
  { name: 'unknown', delivery: unknown, expected: 'Unknown bad [skip: Skip] ! connect' },
  {
    name: 'a restored copy of unknown outcome',
    delivery: { state: 'stale', ...UNCERTAIN, withdrawRequested: true },
    expected: 'Withdrawing warn []',
  },
];

/** The differences that selection and publication make. */
const NOT_DUE_CASES: StatedCell[] = [
  { name: 'skipped', delivery: failed('skipped'), article: NOT_SELECTED, expected: 'Skipped quiet []' },
  {
    name: 'a skipped update',
    delivery: { state: 'stale', ...LIVE, errorCode: 'skipped' },
    article: NOT_SELECTED,
    expected: 'Skipped quiet [withdraw: Withdraw]',
  },
  {
    name: 'delivered',
    delivery: { state: 'delivered', ...LIVE },
    article: { ...NOT_SELECTED, dispatch: 2 },
    expected: 'Delivered good [withdraw: Withdraw]',
  },
  { name: 'never sent', delivery: { state: 'stale' }, article: DRAFT, expected: 'Not sent quiet []' },
  {
    name: 'a copy of a platform without withdrawals',
    delivery: { state: 'stale', ...LIVE },
    article: NOT_SELECTED,
    connection: MEDIUM,
    expected: 'Outdated quiet []',
  },
  {
    name: 'an imported article',
    delivery: { state: 'stale', ...LIVE, errorCode: 'cannot_update' },
    article: { imported: true },
    expected: 'Outdated warn []',
  },
  {
    name: 'a failed update',
    delivery: { ...failed('rejected'), ...LIVE },
    article: NOT_SELECTED,
    expected: 'Failed bad [retry: Retry, skip: Skip, withdraw: Withdraw] !',
  },
  {
    name: 'an edited copy that is gone',
    delivery: failed('drifted'),
    article: NOT_SELECTED,
    expected: 'Edited there bad [overwrite: Overwrite, skip: Skip]',
  },
  {
    name: 'a dispatch that no delivery handled',
    delivery: { state: 'delivered', ...LIVE, handledDispatch: null },
    article: { dispatch: 0 },
    expected: 'Delivered good [withdraw: Withdraw]',
  },
];

for (const cell of REFUSED_CASES) {
  test(`with a rejected credential, ${cell.name}: ${cell.expected}`, () =>
    assert.equal(printCell({ ...cell, connection: REFUSED }), cell.expected));
}

for (const cell of NOT_DUE_CASES) {
  test(`no longer due, ${cell.name}: ${cell.expected}`, () => assert.equal(printCell(cell), cell.expected));
}
