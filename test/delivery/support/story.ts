/** Runs an attempt against scripted answers, and describes its effects in one line. */
import { beginAttempt, resolveAttempt } from '../../../delivery/resolve-attempt.ts';
import { NO_FAILURES, type RetryState } from '../../../delivery/retry-state.ts';
import type { AttemptStep, Effect, Event, LookUpOutcome, SendOutcome } from '../../../delivery/types.ts';

/** The answer to one call: a send, a look-up or a probe. */
export type Answer = SendOutcome | LookUpOutcome | 'refused' | 'good' | 'probe lost';

export interface StoryOptions {
  retry?: Partial<RetryState>;
  slotInMs?: number;
  /** The answer to every record; true by default. */
  isCurrent?: boolean;
  now?: number;
}

export const NOW = 1_000_000_000;

/** Returns the answers in order; throws if one is missing or unused. */
export function playAttempt(step: AttemptStep, answers: readonly Answer[], options: StoryOptions = {}): Played {
  const remaining = [...answers];
  const played = playAttemptWith(
    step,
    (call) => {
      const answer = remaining.shift();
      if (answer === undefined) throw new Error(`there is no answer for the ${call}`);
      return answer;
    },
    options,
  );
  if (remaining.length > 0) throw new Error(`no call asked for ${JSON.stringify(remaining)}`);
  return played;
}

interface Played {
  /** `send create → record failed (drifted) → end failed` */
  story: string;
  retry: RetryState;
  /** The step that the records use. */
  step: AttemptStep;
  effects: Effect[];
}

export function playAttemptWith(
  step: AttemptStep,
  respond: (call: 'send' | 'repeat' | 'lookUp' | 'probe') => Answer,
  { retry = {}, slotInMs = 0, isCurrent = true, now = NOW }: StoryOptions = {},
): Played {
  const effects: Effect[] = [];
  let attempt = beginAttempt(step, { ...NO_FAILURES, dispatch: step.dispatch, ...retry });
  let event: Event | null = { kind: 'planned', slotInMs };
  while (event) {
    const resolved = resolveAttempt(attempt, event, now);
    attempt = resolved.attempt;
    effects.push(resolved.effect);
    event = answerEffect(resolved.effect, respond, isCurrent);
  }
  return { story: effects.map(describeEffect).join(' → '), retry: attempt.retry, step: attempt.step, effects };
}

function answerEffect(
  effect: Effect,
  respond: Parameters<typeof playAttemptWith>[1],
  isCurrent: boolean,
): Event | null {
  switch (effect.kind) {
    case 'send':
    case 'repeat':
      return { kind: 'sent', outcome: respond(effect.kind) as SendOutcome };
    case 'lookUp':
      return { kind: 'lookedUp', outcome: respond('lookUp') as LookUpOutcome };
    case 'probe':
      return { kind: 'probed', isRefused: respond('probe') === 'refused' };
    case 'record':
      return { kind: 'recorded', isCurrent };
    case 'block':
      return { kind: 'blocked' };
    case 'pause':
      return { kind: 'paused' };
    default:
      return null;
  }
}

function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'send':
      return `send ${effect.action}`;
    case 'record': {
      const { record } = effect;
      if (record.kind === 'retry') return `record retry (${record.code}${record.isUnsettled ? ', in flight' : ''})`;
      if (record.kind === 'failed') return `record ${record.state} (${record.code})`;
      if (record.kind === 'unauthorised') return `record unauthorised${record.isUnsettled ? ' (in flight)' : ''}`;
      if (record.kind === 'withdrawn') return `record withdrawn${record.deleted ? ' (deleted)' : ''}`;
      return `record ${record.kind}`;
    }
    case 'block':
    case 'pause':
      return `${effect.kind} ${describeMs(effect.forMs)}`;
    case 'replan':
      return `replan ${describeMs(effect.afterMs)}${effect.forSlot ? ' (slot)' : ''}`;
    case 'end':
      return `end ${effect.outcome}`;
    default:
      return effect.kind;
  }
}

function describeMs(ms: number): string {
  return ms === 0 ? 'at once' : `${ms / 1_000} s`;
}
