/** Table of the grid cells: state, tone and commands for every state of a delivery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DRAFT,
  FOREM,
  failed,
  LATER,
  LINKEDIN,
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

const CASES: StatedCell[] = [
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

  {
    name: 'a scheduled article at no destination',
    delivery: null,
    article: { status: 'SCHEDULED' },
    connection: null,
    expected: 'Not sent quiet []',
  },
  {
    name: 'an imported article that is not selected',
    delivery: null,
    article: { imported: true, ...NOT_SELECTED },
    expected: 'Imported quiet []',
  },
  {
    name: 'an article that is neither selected nor scheduled',
    delivery: null,
    article: { status: 'SCHEDULED', ...NOT_SELECTED },
    expected: 'Not selected quiet []',
  },
  {
    name: 'published when the destination was connected',
    delivery: null,
    connection: { ...FOREM, createdAt: NOW },
    expected: 'Waiting info [] ~',
  },
  {
    name: 'no delivery yet, at a rejected credential',
    delivery: null,
    connection: REFUSED,
    expected: 'Waiting info []',
  },

  { name: 'waiting for its first attempt', delivery: { nextAttemptAt: NOW }, expected: 'Waiting info [skip: Skip] ~' },
  {
    name: 'waiting for a retry after a failure',
    delivery: { error: 'Why.', errorCode: 'unavailable', nextAttemptAt: NOW },
    expected: 'Retrying warn [retry: Retry, skip: Skip] ~',
  },
  { name: 'unpublished while waiting', delivery: {}, article: DRAFT, expected: 'Not sent quiet []' },
  { name: 'sending', delivery: { state: 'delivering' }, expected: 'Sending info [] ~' },
  {
    name: 'checking the outcome',
    delivery: { state: 'delivering', error: 'Why.', errorCode: 'outcome_unknown' },
    expected: 'Checking warn [retry: Retry, skip: Skip] ~',
  },

  { name: 'delivered', delivery: { state: 'delivered', ...LIVE }, expected: 'Delivered good [withdraw: Withdraw]' },
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
    expected: 'Updating info [withdraw: Withdraw] ~',
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
    expected: 'Withdrawing info [retry*: Cancel withdrawal] ~',
  },
  {
    name: 'the original of an import',
    delivery: { state: 'delivered', ...LIVE },
    article: { imported: true },
    expected: 'Delivered good []',
  },

  {
    name: 'an update is due',
    delivery: { state: 'stale', ...LIVE },
    expected: 'Updating info [skip: Skip, withdraw: Withdraw] ~',
  },
  {
    name: 'an update failed and will be retried',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'unavailable' },
    expected: 'Retrying warn [retry: Retry, skip: Skip, withdraw: Withdraw] ~',
  },
  {
    name: 'a platform without updates',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'cannot_update' },
    connection: LINKEDIN,
    expected: 'Outdated warn [withdraw: Withdraw]',
  },
  {
    name: 'an update was skipped',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'skipped' },
    expected: 'Skipped quiet [retry*: Send again, withdraw: Withdraw]',
  },
  {
    name: 'withdrawn by its author',
    delivery: { state: 'stale', withdrawnAt: NOW, withdrawRequested: true },
    expected: 'Withdrawn quiet [retry*: Send again]',
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
    expected: 'Updating info [skip: Skip] ~',
  },
  {
    name: 'uncertain, then withdrawn again by its author',
    delivery: { state: 'stale', ...UNCERTAIN, withdrawRequested: true },
    expected: 'Withdrawing warn [retry*: Cancel withdrawal] ~',
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
    expected: 'Skipped quiet [retry*: Send again, withdraw: Withdraw]',
  },
  {
    name: 'uncertain, then its account was disconnected',
    delivery: { state: 'held', ...UNCERTAIN, error: 'Why.', errorCode: 'not_connected' },
    article: DRAFT,
    connection: null,
    expected: 'Held warn [skip: Skip] ! connect',
  },
  {
    name: 'uncertain, and retries exhausted',
    delivery: { ...failed('gave_up'), ...UNCERTAIN },
    article: DRAFT,
    expected: 'Failed bad [retry: Retry, skip: Skip, withdraw: Withdraw] !',
  },
  {
    name: 'no longer selected',
    delivery: { state: 'stale', ...LIVE },
    article: NOT_SELECTED,
    expected: 'Outdated quiet [withdraw: Withdraw]',
  },
  {
    name: 'published while another account was connected',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account', formerAccountName: '@old' },
    expected: 'At @old quiet [retry*: Send]',
  },
  {
    name: 'published while another account was connected, then deleted there',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account' },
    expected: 'Not sent quiet [retry*: Send]',
  },

  { name: 'rejected', delivery: failed('rejected'), expected: 'Failed bad [retry: Retry, skip: Skip] !' },
  {
    name: 'an update was rejected',
    delivery: { ...failed('rejected'), ...LIVE },
    expected: 'Failed bad [retry: Retry, skip: Skip, withdraw: Withdraw] !',
  },
  {
    name: 'rejected, and so is the credential',
    delivery: failed('rejected'),
    connection: REFUSED,
    expected: 'Failed bad [skip: Skip] ! connect',
  },
  { name: 'rejected, then unpublished', delivery: failed('rejected'), article: DRAFT, expected: 'Failed quiet []' },
  { name: 'skipped', delivery: failed('skipped'), expected: 'Skipped quiet [retry*: Send again]' },
  {
    name: 'edited at the destination',
    delivery: { ...failed('drifted'), ...LIVE },
    expected: 'Edited there bad [overwrite: Overwrite, skip: Skip, withdraw: Withdraw] !',
  },
  {
    name: 'a copy that cannot be withdrawn',
    delivery: { ...failed('cannot_withdraw'), ...LIVE },
    article: DRAFT,
    expected: 'Still live bad [skip: Leave it live] !',
  },

  {
    name: 'unknown, at a platform with lookups',
    delivery: unknown,
    expected: 'Unknown bad [retry: Retry, skip: Skip] !',
  },
  {
    name: 'unknown, at a platform without lookups',
    delivery: unknown,
    connection: MEDIUM,
    expected: 'Unknown bad [] ! settle',
  },
  {
    name: 'unknown, and skipped: a retry checks the outcome',
    delivery: { ...unknown, errorCode: 'skipped' },
    expected: 'Unknown bad [retry: Retry]',
  },
  {
    name: 'an update of unknown outcome',
    delivery: { ...unknown, openAction: null, ...LIVE },
    connection: MEDIUM,
    expected: 'Unknown bad [retry: Retry, skip: Skip] !',
  },

  {
    name: 'the credential is rejected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'unauthorised' },
    connection: REFUSED,
    expected: 'Held warn [skip: Skip] ! connect',
  },
  {
    name: 'disconnected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    expected: 'Held warn [skip: Skip] ! connect',
  },
  {
    name: 'held, then connected',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    expected: 'Waiting info [skip: Skip] ~ !',
  },
  {
    name: 'held, then unpublished',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    article: DRAFT,
    expected: 'Not sent quiet []',
  },
];

for (const cell of CASES) test(`${cell.name}: ${cell.expected}`, () => assert.equal(printCell(cell), cell.expected));
