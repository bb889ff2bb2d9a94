/**
 * What must hold in the end when a command comes right before a write of a delivery: computed from the specification, not from the code.
 *
 * Facts (what the destination did, and answered) always count. A decision that was made before the command does not: after it, what is due is
 * decided anew from the author's intent and the facts. Connecting another account sends, fails and notifies nothing by itself.
 */

export type Answer =
  | 'done'
  /** Refused for good (422). */
  | 'refused'
  /** Refused for now (503, 429). */
  | 'later'
  /** Carried out, and the connection was cut before the answer. */
  | 'made'
  /** Cut before it was carried out. */
  | 'lost'
  /** The credential is refused (401) until it is replaced. */
  | 'unauthorised'
  /** The post was changed by hand (found out by the client, nothing is sent). */
  | 'drifted';

/** One run of a delivery that is interrupted at each of its writes. */
export interface Run {
  name: string;
  /** DEV / Forem finds, updates and unpublishes posts; Medium can only create them. */
  platform: 'forem' | 'medium';
  before: 'nothing' | 'live' | 'edited' | 'disconnected';
  trigger: 'publish' | 'revise' | 'repeat' | 'unpublish';
  /** To the first requests that change something; all others are done. */
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

/** Where the run stands when the command comes. */
export interface Moment {
  /** Requests that the destination has received in this run. */
  received: number;
  /** Its author finds the delivery: a command before that has nothing to be about. */
  isListed: boolean;
  /** The interrupted write says what the last of them came to; else it was recorded before. */
  isEnding: boolean;
  /** It has come to rest. */
  isOver: boolean;
}

/** How a delivery is shown; `delivering` and the like are no ends. */
export type Shown = 'delivered' | 'outdated' | 'withdrawn' | 'nothing' | 'skipped' | 'failed' | 'unknown' | 'held';
type Range = readonly [least: number, most: number];

export interface Expected {
  creates: number;
  updates: number;
  withdrawals: number;
  /** The text of what readers find at the account; null where there is nothing. `v1`, `v2` … or `edited`. */
  live: string | null;
  successes: Range;
  failures: Range;
  /** Any of them; null where the account is erased. */
  shown: readonly Shown[] | null;
}

/** Whether the command may, must or must not be refused for what is known by then. */
export function mayRefuse({ platform, before, answers }: Run, command: Command, { received, isListed }: Moment): Rule {
  if (!isListed && ABOUT_DELIVERY.has(command)) return 'may';
  switch (command) {
    case 'settle':
      return platform === 'medium' && answers.some(isUnanswered) && received > 0 ? 'may' : 'must';
    case 'overwrite':
      // A post that was just made is known once its attempt has ended.
      if (before !== 'nothing') return 'mustNot';
      return received > answers.length || answers.slice(0, received).some(isMade) ? 'may' : 'must';
    case 'retry':
    case 'skip':
      // It is delivered already, or was until a moment ago.
      return before === 'nothing' && received === 0 ? 'mustNot' : 'may';
    default:
      return 'mustNot';
  }
}
const ABOUT_DELIVERY: ReadonlySet<Command> = new Set<Command>(['retry', 'skip', 'withdraw', 'overwrite', 'settle']);
type Rule = 'may' | 'must' | 'mustNot';

interface World {
  isPublic: boolean;
  revision: number;
  withdrawRequested: boolean;
  isSkipped: boolean;
  overwrites: boolean;
  isSuspended: boolean;
  isErased: boolean;
  connected: 'this' | 'other' | null;
  /** Another account was connected since the run began: what is due is offered, not sent. */
  isOffered: boolean;
  isKeyRefused: boolean;
  /** What readers find. */
  live: string | null;
  /** False after a write that nobody answered: it is sent once more. */
  isContentKnown: boolean;
  /** The post is there, and hidden. */
  wasWithdrawn: boolean;
  /** An update that nobody answered may still arrive: a withdrawal is repeated when it cannot. */
  hasLateUpdate: boolean;
  /** A create of unknown outcome at a platform that cannot be asked. */
  isUnclear: boolean;
  /** The present publish ended with a failure, or an earlier one did. */
  hasFailed: boolean;
  everFailed: boolean;
  counts: { create: number; update: number; withdraw: number };
  successes: Range;
  failures: Range;
  answers: Answer[];
}

/** `isRefused`: the command was, and has changed nothing. */
export function predict(run: Run, command: Command, moment: Moment, isRefused: boolean): Expected {
  const world = begin(run);
  let ending: Answer | null = null;
  for (let sent = 0; sent < moment.received; sent++) {
    if (ending) conclude(world, run, ending, 'none');
    ending = request(world, run);
  }
  if (ending && !moment.isEnding) {
    conclude(world, run, ending, 'none');
    ending = null;
  }
  if (moment.isOver) goOn(world, run);
  const given = isRefused ? 'none' : command;
  obey(world, given);
  if (ending) conclude(world, run, ending, given);
  // A further publish beside an unknown attempt is reported by itself.
  if (moment.isOver && world.isUnclear && PUBLISHING.has(given)) maybeFail(world);
  // An update that was sent before the order to overwrite may be void.
  if (ending === 'done' && given === 'overwrite') world.successes = add(world.successes, [-1, 0]);
  goOn(world, run);
  return describe(world, run, given);
}

function goOn(world: World, run: Run): void {
  for (let rounds = 0; rounds < 9 && isDue(world, run); rounds++) {
    const answer = request(world, run);
    if (answer) conclude(world, run, answer, 'none');
  }
}

function begin({ before, trigger, answers }: Run): World {
  const isThere = before !== 'nothing';
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
    live: before === 'edited' ? 'edited' : isThere ? 'v1' : null,
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

function chooseAction({ isPublic, withdrawRequested, live, revision, isContentKnown, wasWithdrawn }: World) {
  if (!isPublic || withdrawRequested) return live === null ? null : 'withdraw';
  if (live === null) return wasWithdrawn ? 'update' : 'create';
  return live === `v${revision}` && isContentKnown ? null : 'update';
}

/** What the answers of a run are to. */
export const ACTIONS = { publish: 'create', revise: 'update', repeat: 'update', unpublish: 'withdraw' } as const;

/** One request that changes something; answers what came back, or null where nothing is due. */
function request(world: World, { platform, trigger }: Run): Answer | null {
  const action = chooseAction(world);
  if (action === null || (platform === 'medium' && action !== 'create')) return null;
  const [first] = world.answers;
  const isOrdered = first === 'unauthorised' || action === ACTIONS[trigger];
  // A refused key stays refused, and a post that was edited stays edited, until somebody does something about it.
  const isLasting = first === 'unauthorised' || first === 'drifted';
  const answer = (isOrdered ? (isLasting ? first : world.answers.shift()) : null) ?? 'done';
  if (isMade(answer)) {
    world.counts[action] += 1;
    world.wasWithdrawn = action === 'withdraw';
    world.live = action === 'withdraw' ? null : `v${world.revision}`;
    world.isContentKnown = answer === 'done';
    if (answer === 'done' && action !== 'withdraw') world.successes = add(world.successes, [1, 1]);
  }
  if (platform === 'medium' && isUnanswered(answer)) world.isUnclear = true;
  // The stand-in lists a change of a hidden post as an update.
  if (action === 'withdraw' && world.hasLateUpdate) world.counts.update += 1;
  world.hasLateUpdate = action === 'update' ? isUnanswered(answer) || world.hasLateUpdate : false;
  return answer;
}

/** What follows of an answer, where `command` came between the two. */
function conclude(world: World, { platform, trigger }: Run, answer: Answer, command: Command): void {
  if (world.isErased) return;
  const isFinal = answer === 'refused' || answer === 'drifted';
  if (isFinal) {
    world.everFailed = true;
    // A refused create may have been saved (F10): disconnected, it is held until it can be looked up.
    const isHeld = command === 'disconnect' && answer === 'refused' && ACTIONS[trigger] === 'create';
    // The failure answers the publish that was attempted, not a later command.
    if (RENEWING.has(command) || command === 'skip' || isHeld) world.failures = add(world.failures, [0, 1]);
    else {
      world.hasFailed = true;
      world.failures = add(world.failures, world.isOffered ? [0, 1] : [1, 1]);
    }
  }
  if (answer === 'unauthorised') {
    const isReplaced = command === 'reconnect' || command === 'otherAndBack';
    if (isReplaced || command === 'connectOther' || command === 'disconnect') return void maybeFail(world);
    world.isKeyRefused = true;
    const isSaid = chooseAction(world) !== null && !world.isSkipped && !world.isSuspended && command !== 'refuseKey';
    world.failures = add(world.failures, isSaid ? [1, 1] : [0, 1]);
  }
  if (platform === 'medium' && isUnanswered(answer)) {
    // One outcome of the attempt; a further publish may have one as well.
    const isSure = command === 'none' || command === 'reconnect' || command === 'suspend';
    world.failures = add(world.failures, isSure ? [1, 1] : [0, 2]);
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

function obey(world: World, command: Command): void {
  if (RENEWING.has(command)) Object.assign(world, { isSkipped: false, hasFailed: false });
  // Another key, or the order to overwrite, ends what would be answered again and again.
  const endsRefusal = REPLACING.has(command) && world.answers[0] === 'unauthorised';
  if (endsRefusal || (command === 'overwrite' && world.answers[0] === 'drifted')) world.answers.shift();
  Object.assign(world, CHANGES[command](world));
}

const REPLACING: ReadonlySet<Command> = new Set<Command>(['reconnect', 'otherAndBack']);

const CHANGES: Record<Command, (world: World) => Partial<World>> = {
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

/** Whether the next request is made, by nobody's command. */
function isDue(world: World, { platform }: Run): boolean {
  const action = chooseAction(world);
  if (action === null || world.isErased || world.connected !== 'this' || world.isKeyRefused) return false;
  if (world.isUnclear || world.isSkipped || world.hasFailed) return false;
  // A withdrawal was ordered, and is owed whoever was connected in between.
  if (action !== 'withdraw' && (world.isOffered || world.isSuspended)) return false;
  if (platform === 'medium' && action === 'update') return false;
  if (platform === 'medium' && action === 'withdraw') {
    // Said once; another command may have it said again.
    world.failures = add(world.failures, world.everFailed ? [0, 1] : [1, 1]);
    Object.assign(world, { hasFailed: true, everFailed: true });
    return false;
  }
  return true;
}

function describe(world: World, run: Run, command: Command): Expected {
  const { counts, live, isErased, successes, failures } = world;
  const done = { creates: counts.create, updates: counts.update, withdrawals: counts.withdraw, live };
  // Notifications go with their account.
  if (isErased) return { ...done, successes: [0, 0], failures: [0, 0], shown: null };
  return { ...done, successes, failures, shown: show(world, run, command) };
}

function show(world: World, { platform, trigger }: Run, command: Command): readonly Shown[] {
  const action = chooseAction(world);
  const isHeld = world.connected === null || world.isKeyRefused;
  if (world.isOffered) return showOffered(world, command);
  if (world.isUnclear) return isHeld ? ['unknown', 'held'] : world.isSkipped ? ['unknown', 'skipped'] : ['unknown'];
  if (action === null) return showRest(world);
  if (world.isSkipped) return ['skipped'];
  if (world.hasFailed) return ['failed'];
  if (world.isSuspended && action !== 'withdraw') return world.live === null ? ['nothing'] : ['outdated'];
  // It could not be sent over a connection either.
  if (platform === 'medium' && action === 'update') return isHeld ? ['outdated', 'held'] : ['outdated'];
  if (isHeld) return ['held'];
  return trigger === 'unpublish' ? ['withdrawn'] : ['delivered'];
}

/** Nothing is due. Where nothing is there either, a command or a failure before may still be shown. */
function showRest({ live, wasWithdrawn, isSkipped, everFailed }: World): readonly Shown[] {
  if (live !== null) return ['delivered'];
  const shown: Shown[] = [wasWithdrawn ? 'withdrawn' : 'nothing'];
  if (isSkipped) shown.push('skipped');
  return everFailed && !wasWithdrawn ? [...shown, 'failed'] : shown;
}

/** "At @old", or what it was before; never held, and failed only where it has failed. */
function showOffered({ live, hasFailed, isUnclear }: World, command: Command): readonly Shown[] {
  const open: Shown[] = ['delivered', 'outdated', 'nothing', 'withdrawn'];
  if (hasFailed) open.push('failed');
  // What a lost create made is found out when its account is connected.
  if (isUnclear || (command === 'connectOther' && live !== null)) open.push('unknown');
  return open;
}

function maybeFail(world: World): void {
  world.failures = add(world.failures, [0, 1]);
}

function isMade(answer: Answer): boolean {
  return answer === 'done' || answer === 'made';
}

function isUnanswered(answer: Answer): boolean {
  return answer === 'made' || answer === 'lost';
}

function add([least, most]: Range, [more, evenMore]: Range): Range {
  return [least + more, most + evenMore];
}
