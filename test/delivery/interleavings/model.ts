/**
 * Predicts the final state after a command before a write of a delivery, from the specification
 * alone. The changes and responses of the destination always count. A decision that the workflow
 * made before the command does not. Connecting another account does not send, fail or notify
 * anything.
 */

export type Answer =
  | 'done'
  /** Permanent rejection (422). */
  | 'refused'
  /** Temporary rejection (503, 429). */
  | 'later'
  /** Executed, but the connection broke before the response. */
  | 'made'
  /** The connection broke before the execution. */
  | 'lost'
  /** The credential is rejected (401) until it is replaced. */
  | 'unauthorised'
  /** The post was edited at the destination; the client detects it and sends nothing. */
  | 'drifted';

/** One run of a delivery, interrupted at each of its writes. */
export interface Run {
  name: string;
  /** Forem can find, update and unpublish posts; Medium can only create them. */
  platform: 'forem' | 'medium';
  before: 'nothing' | 'live' | 'edited' | 'disconnected';
  trigger: 'publish' | 'revise' | 'repeat' | 'unpublish';
  /** Responses to the first write requests; all others succeed. */
  answers: readonly Answer[];
}

export const RUNS: readonly Run[] = [
  { name: 'a create', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['done'] },
  { name: 'a refused create', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['refused'] },
  { name: 'a delayed create', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['later'] },
  { name: 'a made, unanswered create', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['made'] },
  { name: 'a lost create', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['lost'] },
  { name: 'a refused key', platform: 'forem', before: 'nothing', trigger: 'publish', answers: ['unauthorised'] },
  { name: 'an update', platform: 'forem', before: 'live', trigger: 'revise', answers: ['done'] },
  { name: 'a refused update', platform: 'forem', before: 'live', trigger: 'revise', answers: ['refused'] },
  { name: 'a made, unanswered update', platform: 'forem', before: 'live', trigger: 'revise', answers: ['made'] },
  { name: 'an update of an edited post', platform: 'forem', before: 'edited', trigger: 'revise', answers: ['drifted'] },
  { name: 'a withdrawal', platform: 'forem', before: 'live', trigger: 'unpublish', answers: ['done'] },
  { name: 'a delayed withdrawal', platform: 'forem', before: 'live', trigger: 'unpublish', answers: ['later'] },
  { name: 'the same again', platform: 'forem', before: 'live', trigger: 'repeat', answers: [] },
  { name: 'no connection', platform: 'forem', before: 'disconnected', trigger: 'revise', answers: [] },
  { name: 'Medium, made, unanswered', platform: 'medium', before: 'nothing', trigger: 'publish', answers: ['made'] },
  { name: 'Medium, lost', platform: 'medium', before: 'nothing', trigger: 'publish', answers: ['lost'] },
  { name: 'Medium, an update', platform: 'medium', before: 'live', trigger: 'revise', answers: [] },
  { name: 'Medium, a withdrawal', platform: 'medium', before: 'live', trigger: 'unpublish', answers: [] },
];

export const COMMANDS = [
  'revise',
  'repeat',
  'unpublish',
  'delete',
  'retry',
  'skip',
  'withdraw',
  'overwrite',
  'settle',
  'disconnect',
  'reconnect',
  'connectOther',
  'otherAndBack',
  'suspend',
  'refuseKey',
  'erase',
] as const;
export type Command = (typeof COMMANDS)[number] | 'none';

/** The progress of the run at the time of the command. */
export interface Moment {
  /** Requests that the destination has received in this run. */
  received: number;
  /** The delivery exists, so a command can apply to it. */
  isListed: boolean;
  /** The interrupted write records the last outcome; otherwise it is already recorded. */
  isEnding: boolean;
  /** The run has ended. */
  isOver: boolean;
}

/** The final states of a delivery as shown; excludes `delivering`. */
export type Shown = 'delivered' | 'outdated' | 'withdrawn' | 'nothing' | 'skipped' | 'failed' | 'unknown' | 'held';
type Range = readonly [min: number, max: number];

export interface Expected {
  creates: number;
  updates: number;
  withdrawals: number;
  /** The text of the live copy: `v1`, `v2` … or `edited`; null if there is none. */
  live: string | null;
  successes: Range;
  failures: Range;
  /** Any of these; null if the account is erased. */
  shown: readonly Shown[] | null;
}

/** Whether the command may, must or must not be refused at this moment. */
export function mayRefuse({ platform, before, answers }: Run, command: Command, { received, isListed }: Moment): Rule {
  if (!isListed && ABOUT_DELIVERY.has(command)) return 'may';
  switch (command) {
    case 'settle':
      return platform === 'medium' && answers.some(isUnanswered) && received > 0 ? 'may' : 'must';
    case 'overwrite':
      // A new post is recorded when its attempt ends.
      if (before !== 'nothing') return 'mustNot';
      return received > answers.length || answers.slice(0, received).some(isMade) ? 'may' : 'must';
    case 'retry':
    case 'skip':
      // The delivery may already be delivered.
      return before === 'nothing' && received === 0 ? 'mustNot' : 'may';
    default:
      return 'mustNot';
  }
}
const ABOUT_DELIVERY: ReadonlySet<Command> = new Set<Command>(['retry', 'skip', 'withdraw', 'overwrite', 'settle']);
type Rule = 'may' | 'must' | 'mustNot';

interface ModelState {
  isPublic: boolean;
  revision: number;
  withdrawRequested: boolean;
  isSkipped: boolean;
  overwrites: boolean;
  isSuspended: boolean;
  isErased: boolean;
  connected: 'this' | 'other' | null;
  /** Another account was connected since the start: due articles are offered and not sent. */
  isOffered: boolean;
  isKeyRefused: boolean;
  /** The text of the live copy. */
  live: string | null;
  /** False after a write without a response, which is then repeated. */
  isContentKnown: boolean;
  /** The post exists and is hidden. */
  wasWithdrawn: boolean;
  /** An update without a response may still arrive. The withdrawal is repeated afterwards. */
  hasLateUpdate: boolean;
  /** A create of unknown outcome at a platform without look-up. */
  isUnclear: boolean;
  /** The current publish ended with a failure; `everFailed`: any publish did. */
  hasFailed: boolean;
  everFailed: boolean;
  counts: { create: number; update: number; withdraw: number };
  successes: Range;
  failures: Range;
  answers: Answer[];
}

/** `isRefused`: the command was refused and had no effect. */
export function predict(run: Run, command: Command, moment: Moment, isRefused: boolean): Expected {
  const state = begin(run);
  let ending: Answer | null = null;
  for (let sent = 0; sent < moment.received; sent++) {
    if (ending) conclude(state, run, ending, 'none');
    ending = request(state, run);
  }
  if (ending && !moment.isEnding) {
    conclude(state, run, ending, 'none');
    ending = null;
  }
  if (moment.isOver) runToRest(state, run);
  const effective = isRefused ? 'none' : command;
  applyCommand(state, effective);
  if (ending) conclude(state, run, ending, effective);
  // A further publish during an unknown attempt may have its own failure event.
  if (moment.isOver && state.isUnclear && PUBLISHING.has(effective)) allowFailure(state);
  // An update that was sent before the overwrite command may end as void, without an event.
  if (ending === 'done' && effective === 'overwrite') state.successes = add(state.successes, [-1, 0]);
  runToRest(state, run);
  return describe(state, run, effective);
}

function runToRest(state: ModelState, run: Run): void {
  for (let rounds = 0; rounds < 9 && isDue(state, run); rounds++) {
    const answer = request(state, run);
    if (answer) conclude(state, run, answer, 'none');
  }
}

function begin({ before, trigger, answers }: Run): ModelState {
  const hasCopy = before !== 'nothing';
  return {
    isPublic: trigger !== 'unpublish',
    revision: trigger === 'revise' ? 2 : 1,
    withdrawRequested: false,
    isSkipped: false,
    overwrites: false,
    isSuspended: false,
    isErased: false,
    connected: before === 'disconnected' ? null : 'this',
    isOffered: false,
    isKeyRefused: false,
    live: before === 'edited' ? 'edited' : hasCopy ? 'v1' : null,
    isContentKnown: true,
    wasWithdrawn: false,
    hasLateUpdate: false,
    isUnclear: false,
    hasFailed: false,
    everFailed: false,
    counts: { create: 0, update: 0, withdraw: 0 },
    successes: [0, 0],
    failures: [0, 0],
    answers: [...answers],
  };
}

function chooseAction({ isPublic, withdrawRequested, live, revision, isContentKnown, wasWithdrawn }: ModelState) {
  if (!isPublic || withdrawRequested) return live === null ? null : 'withdraw';
  if (live === null) return wasWithdrawn ? 'update' : 'create';
  return live === `v${revision}` && isContentKnown ? null : 'update';
}

/** The action of each trigger. The answers of a run apply only to it. */
export const ACTIONS = { publish: 'create', revise: 'update', repeat: 'update', unpublish: 'withdraw' } as const;

/** Simulates one write request. Returns its response; null if nothing is due. */
function request(state: ModelState, { platform, trigger }: Run): Answer | null {
  const action = chooseAction(state);
  if (action === null || (platform === 'medium' && action !== 'create')) return null;
  const [first] = state.answers;
  const isScripted = first === 'unauthorised' || action === ACTIONS[trigger];
  // A rejected key and an edited post last until a command ends them.
  const isPersistent = first === 'unauthorised' || first === 'drifted';
  const answer = (isScripted ? (isPersistent ? first : state.answers.shift()) : null) ?? 'done';
  if (isMade(answer)) {
    state.counts[action] += 1;
    state.wasWithdrawn = action === 'withdraw';
    state.live = action === 'withdraw' ? null : `v${state.revision}`;
    state.isContentKnown = answer === 'done';
    if (answer === 'done' && action !== 'withdraw') state.successes = add(state.successes, [1, 1]);
  }
  if (platform === 'medium' && isUnanswered(answer)) state.isUnclear = true;
  // The sandbox logs a change of a hidden post as an update.
  if (action === 'withdraw' && state.hasLateUpdate) state.counts.update += 1;
  state.hasLateUpdate = action === 'update' ? isUnanswered(answer) || state.hasLateUpdate : false;
  return answer;
}

/** Records the response of a request. `command` was received between the two. */
function conclude(state: ModelState, { platform, trigger }: Run, answer: Answer, command: Command): void {
  if (state.isErased) return;
  const isFinal = answer === 'refused' || answer === 'drifted';
  if (isFinal) {
    state.everFailed = true;
    // A rejected create may have been saved (F10): after a disconnection it is held until a
    // look-up.
    const isHeld = command === 'disconnect' && answer === 'refused' && ACTIONS[trigger] === 'create';
    // The failure applies to its own dispatch, not to a later command.
    if (RENEWING.has(command) || command === 'skip' || isHeld) state.failures = add(state.failures, [0, 1]);
    else {
      state.hasFailed = true;
      state.failures = add(state.failures, state.isOffered ? [0, 1] : [1, 1]);
    }
  }
  if (answer === 'unauthorised') {
    const isReplaced = command === 'reconnect' || command === 'otherAndBack';
    if (isReplaced || command === 'connectOther' || command === 'disconnect') return void allowFailure(state);
    state.isKeyRefused = true;
    const isNotified =
      chooseAction(state) !== null && !state.isSkipped && !state.isSuspended && command !== 'refuseKey';
    state.failures = add(state.failures, isNotified ? [1, 1] : [0, 1]);
  }
  if (platform === 'medium' && isUnanswered(answer)) {
    // One outcome for the attempt; a further publish may have its own.
    const hasOneFailure = command === 'none' || command === 'reconnect' || command === 'suspend';
    state.failures = add(state.failures, hasOneFailure ? [1, 1] : [0, 2]);
  }
}

const RENEWING: ReadonlySet<Command> = new Set<Command>([
  'revise',
  'repeat',
  'unpublish',
  'delete',
  'retry',
  'withdraw',
  'overwrite',
]);

const PUBLISHING: ReadonlySet<Command> = new Set<Command>(['revise', 'repeat', 'unpublish', 'delete']);

function applyCommand(state: ModelState, command: Command): void {
  if (RENEWING.has(command)) Object.assign(state, { isSkipped: false, hasFailed: false });
  // Another key ends a 401, and an overwrite command ends the detection of an external edit.
  const endsRefusal = REPLACING.has(command) && state.answers[0] === 'unauthorised';
  if (endsRefusal || (command === 'overwrite' && state.answers[0] === 'drifted')) state.answers.shift();
  Object.assign(state, CHANGES[command](state));
}

const REPLACING: ReadonlySet<Command> = new Set<Command>(['reconnect', 'otherAndBack']);

const CHANGES: Record<Command, (state: ModelState) => Partial<ModelState>> = {
  none: () => ({}),
  revise: ({ revision }) => ({ isPublic: true, revision: revision + 1 }),
  repeat: () => ({ isPublic: true }),
  unpublish: () => ({ isPublic: false }),
  delete: () => ({ isPublic: false }),
  retry: () => ({ withdrawRequested: false }),
  skip: () => ({ isSkipped: true }),
  withdraw: () => ({ withdrawRequested: true }),
  overwrite: () => ({ isContentKnown: false, withdrawRequested: false }),
  settle: () => ({ isUnclear: false, isContentKnown: true }),
  disconnect: () => ({ connected: null }),
  reconnect: () => ({ connected: 'this', isKeyRefused: false }),
  connectOther: () => ({ connected: 'other', isOffered: true }),
  otherAndBack: () => ({ connected: 'this', isOffered: true, isKeyRefused: false }),
  suspend: () => ({ isSuspended: true }),
  refuseKey: ({ connected }) => ({ isKeyRefused: connected === 'this' }),
  erase: () => ({ isErased: true }),
};

/** Whether the next request is sent without a further command. */
function isDue(state: ModelState, { platform }: Run): boolean {
  const action = chooseAction(state);
  if (action === null || state.isErased || state.connected !== 'this' || state.isKeyRefused) return false;
  if (state.isUnclear || state.isSkipped || state.hasFailed) return false;
  // A withdrawal remains due after a change of account.
  if (action !== 'withdraw' && (state.isOffered || state.isSuspended)) return false;
  if (platform === 'medium' && action === 'update') return false;
  if (platform === 'medium' && action === 'withdraw') {
    // Notified once; a further command may notify again.
    state.failures = add(state.failures, state.everFailed ? [0, 1] : [1, 1]);
    Object.assign(state, { hasFailed: true, everFailed: true });
    return false;
  }
  return true;
}

function describe(state: ModelState, run: Run, command: Command): Expected {
  const { counts, live, isErased, successes, failures } = state;
  const remote = { creates: counts.create, updates: counts.update, withdrawals: counts.withdraw, live };
  // Deleting an account deletes its notifications.
  if (isErased) return { ...remote, successes: [0, 0], failures: [0, 0], shown: null };
  return { ...remote, successes, failures, shown: show(state, run, command) };
}

function show(state: ModelState, { platform, trigger }: Run, command: Command): readonly Shown[] {
  const action = chooseAction(state);
  const isHeld = state.connected === null || state.isKeyRefused;
  if (state.isOffered) return showOffered(state, command);
  if (state.isUnclear) return isHeld ? ['unknown', 'held'] : state.isSkipped ? ['unknown', 'skipped'] : ['unknown'];
  if (action === null) return showRest(state);
  if (state.isSkipped) return ['skipped'];
  if (state.hasFailed) return ['failed'];
  if (state.isSuspended && action !== 'withdraw') return state.live === null ? ['nothing'] : ['outdated'];
  // Not possible at the platform, with or without a connection.
  if (platform === 'medium' && action === 'update') return isHeld ? ['outdated', 'held'] : ['outdated'];
  if (isHeld) return ['held'];
  return trigger === 'unpublish' ? ['withdrawn'] : ['delivered'];
}

/** For a complete delivery. Without a live copy, an earlier command or failure may be shown. */
function showRest({ live, wasWithdrawn, isSkipped, everFailed }: ModelState): readonly Shown[] {
  if (live !== null) return ['delivered'];
  const shown: Shown[] = [wasWithdrawn ? 'withdrawn' : 'nothing'];
  if (isSkipped) shown.push('skipped');
  return everFailed && !wasWithdrawn ? [...shown, 'failed'] : shown;
}

/** After a change of account: never held, and failed only after a failure. */
function showOffered({ live, hasFailed, isUnclear }: ModelState, command: Command): readonly Shown[] {
  const open: Shown[] = ['delivered', 'outdated', 'nothing', 'withdrawn'];
  if (hasFailed) open.push('failed');
  // A create of unknown outcome is resolved when its account is connected again.
  if (isUnclear || (command === 'connectOther' && live !== null)) open.push('unknown');
  return open;
}

function allowFailure(state: ModelState): void {
  state.failures = add(state.failures, [0, 1]);
}

function isMade(answer: Answer): boolean {
  return answer === 'done' || answer === 'made';
}

function isUnanswered(answer: Answer): boolean {
  return answer === 'made' || answer === 'lost';
}

function add([min, max]: Range, [addedMin, addedMax]: Range): Range {
  return [min + addedMin, max + addedMax];
}
