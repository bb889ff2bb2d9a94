/**
 * Histories outlive the code. A replay compares no values, so this test pins the shapes in them: against literals, and against every planned
 * step and every carried retry state in the recorded histories.
 */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import type { RetryState } from '../../delivery/retry-state.ts';
import type { AttemptStep } from '../../delivery/types.ts';
import {
  type PlannedStepOnWire,
  type RetryStateOnWire,
  readPlannedStep,
  readRetryState,
  type SentOnWire,
  writePlannedStep,
  writeRetryState,
} from '../../delivery/wire.ts';
import { listHistories } from '../support/recorded-histories.ts';

describe('a planned step', () => {
  const step: AttemptStep = {
    kind: 'reconcile',
    deliveryId: 'd',
    attempt: 3,
    dispatch: 2,
    connectionId: 'c',
    credentialVersion: 5,
    readLagMs: 1_000,
    canFind: true,
    withdraw: 'unpublished',
    settleInMs: 18_000,
    repeatInMs: null,
  };

  test('has these fields on the wire', () => {
    assert.deepEqual(writePlannedStep(step, 40), {
      kind: 'reconcile',
      deliveryId: 'd',
      attempt: 3,
      dispatch: 2,
      connectionId: 'c',
      generation: 5,
      readLagMs: 1_000,
      canFind: true,
      withdraw: 'unpublished',
      settleInMs: 18_000,
      repeatInMs: null,
      waitMs: 40,
    });
  });

  test('is read from every recorded history, and would be written the same today', () => {
    const planned = readHistories().flatMap(findPlannedSteps);
    const steps = planned.filter((answer) => answer.kind !== 'end');
    const kinds = new Set(steps.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), [
      'broken',
      'create',
      'reconcile',
      'refuse',
      'resolve',
      'settle',
      'update',
      'withdraw',
    ]);
    for (const recorded of steps) {
      const { step, slotInMs } = readPlannedStep(recorded);
      for (const value of Object.values(step)) assert.notEqual(value, undefined);
      assert.deepEqual(writePlannedStep(step, slotInMs), recorded);
    }
  });

  test('with nothing to send says its outcome and why', () => {
    const ends = readHistories()
      .flatMap(findPlannedSteps)
      .filter((answer) => answer.kind === 'end');
    assert.ok(ends.length > 0);
    for (const { end } of ends) assert.deepEqual(Object.keys(end).sort(), ['outcome', 'why']);
  });
});

describe('a retry state that is carried over a continue-as-new', () => {
  const state: RetryState = {
    dispatch: 2,
    credentialVersion: 5,
    since: 1_000,
    failures: 3,
    probed: true,
    titleWaited: true,
  };

  test('has these fields on the wire and is read back', () => {
    const onWire = writeRetryState(state);
    assert.deepEqual(onWire, {
      dispatch: 2,
      generation: 5,
      since: 1_000,
      failures: 3,
      probed: true,
      titleWaited: true,
    });
    assert.deepEqual(readRetryState(onWire), state);
  });

  test('is read from every recorded history, and would be written the same today', () => {
    const carried = readHistories().flatMap(findCarriedStates);
    assert.ok(carried.length > 0);
    for (const recorded of carried) {
      const read = readRetryState(recorded);
      assert.equal(typeof read.credentialVersion, 'number');
      assert.deepEqual(writeRetryState(read), recorded);
    }
  });
});

test('every recorded answer of a destination names its attempt and its publish', () => {
  for (const read of [readSent, readPlannedAndSent]) {
    const done = readHistories()
      .flatMap(read)
      .filter((answer): answer is Record<string, unknown> => isKind(answer, 'done'));
    assert.ok(done.length > 0);
    for (const { recorded: _, ...answer } of done) {
      assert.deepEqual(Object.keys(answer).sort(), ['attempt', 'dispatch', 'kind', 'remote']);
    }
  }
});

function readSent(history: RecordedEvent[]): unknown[] {
  return findResults(history, 'sendDelivery');
}

function readPlannedAndSent(history: RecordedEvent[]): unknown[] {
  return findResults(history, 'planAndSend').map((answer) => (answer as SentOnWire).outcome);
}

interface RecordedEvent {
  eventId: string;
  workflowExecutionStartedEventAttributes?: { workflowType: { name: string }; input?: Payloads };
  markerRecordedEventAttributes?: { markerName: string; details: Record<string, Payloads> };
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  activityTaskCompletedEventAttributes?: { scheduledEventId: string; result?: Payloads };
}

interface Payloads {
  payloads: { data?: string }[];
}

/** The recorded histories of deliveries. */
function readHistories(): RecordedEvent[][] {
  return listHistories()
    .filter(({ workflowId }) => basename(workflowId).startsWith('delivery-'))
    .map(({ history }) => history.events as RecordedEvent[]);
}

function findPlannedSteps(events: RecordedEvent[]): PlannedStepOnWire[] {
  const planned = findResults(events, 'planAndSend').map((answer) => (answer as SentOnWire).planned);
  const alone = events.flatMap(({ markerRecordedEventAttributes: marker }) => {
    if (marker?.markerName !== 'core_local_activity') return [];
    const [activity] = decodePayloads(marker.details.data) as { activity_type: string }[];
    return activity?.activity_type === 'planStep' ? (decodePayloads(marker.details.result) as PlannedStepOnWire[]) : [];
  });
  return [...planned, ...alone];
}

function findCarriedStates(events: RecordedEvent[]): RetryStateOnWire[] {
  return decodePayloads(events[0]?.workflowExecutionStartedEventAttributes?.input).slice(1) as RetryStateOnWire[];
}

function findResults(events: RecordedEvent[], name: string): unknown[] {
  const scheduled = new Set(
    events
      .filter(({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType.name === name)
      .map(({ eventId }) => eventId),
  );
  return events.flatMap(({ activityTaskCompletedEventAttributes: completed }) =>
    completed && scheduled.has(completed.scheduledEventId) ? decodePayloads(completed.result) : [],
  );
}

function decodePayloads(payloads: Payloads | undefined): unknown[] {
  return (payloads?.payloads ?? []).map(
    ({ data = '' }) => JSON.parse(Buffer.from(data, 'base64').toString()) as unknown,
  );
}

function isKind(answer: unknown, kind: string): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === kind;
}
