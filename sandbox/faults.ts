/** Stores faults, in the format of `PUT /faults`. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { SANDBOX_PLATFORMS, type SandboxPlatform } from './state.ts';

const ACTIONS = ['create', 'update', 'withdraw', 'find', 'probe', 'prepare', 'any'] as const;
export type FaultableAction = Exclude<(typeof ACTIONS)[number], 'any'>;

const HEADER_NAME = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' });
const HEADER_VALUE = Type.String({ pattern: '^[ -~]*$' });

const FaultSchema = Type.Object(
  {
    platform: Type.Union(SANDBOX_PLATFORMS.map((key) => Type.Literal(key))),
    action: Type.Union(ACTIONS.map((action) => Type.Literal(action))),
    /** Only requests of this account, as named in the log. */
    account: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** How many matching requests it affects. */
    times: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** Respond with this status instead of doing the work. */
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    /**
     * With `status`: a string is sent as HTML, anything else as JSON. Default: the platform's own
     * response.
     */
    body: Type.Optional(Type.Unknown()),
    headers: Type.Optional(Type.Record(HEADER_NAME, HEADER_VALUE, { additionalProperties: false })),
    /** Delays the response (or the cut) by this time. The work is done at once. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** Cut the connection before or after doing the work. */
    drop: Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')])),
    /** With `status`: do the work, and respond with that status nevertheless. */
    saved: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type Fault = Static<typeof FaultSchema>;

export interface FaultableRequest {
  platform: SandboxPlatform;
  /** Null for requests to which only faults for the action `any` apply. */
  action: FaultableAction | null;
  /** The account of the request, as the log names it. Empty if unknown. */
  accounts: readonly string[];
}

export class FaultBoard {
  #faults: Fault[] = [];

  /** Replaces all faults, or returns the problems if any is invalid. */
  replace(value: unknown): string[] {
    const problems = checkFaults(value);
    if (problems.length === 0) this.#faults = structuredClone(value) as Fault[];
    return problems;
  }

  /** The remaining faults. */
  list(): readonly Fault[] {
    return this.#faults;
  }

  /** The first fault for such a request, or no effect. Counts as one use. */
  useFault({ platform, action, accounts }: FaultableRequest): Partial<Fault> {
    const fault = this.#faults.find(
      (fault) =>
        fault.platform === platform &&
        (fault.action === 'any' || fault.action === action) &&
        (fault.account === undefined || accounts.includes(fault.account)),
    );
    if (!fault) return {};
    const applied = { ...fault };
    fault.times -= 1;
    if (fault.times === 0) this.#faults = this.#faults.filter((other) => other !== fault);
    return applied;
  }
}

/** Readable messages instead of the schema's "must be equal to constant". */
const MEANINGS: Record<string, string> = {
  '/platform': `must be one of ${SANDBOX_PLATFORMS.join(', ')}`,
  '/action': `must be one of ${ACTIONS.join(', ')}`,
  '/drop': 'must be "before" or "after"',
};

function checkFaults(value: unknown): string[] {
  if (!Array.isArray(value)) return ['The body must be a list of faults; [] clears them.'];
  return value.flatMap((entry: unknown, index) => {
    const where = `faults[${index}]`;
    if (!Value.Check(FaultSchema, entry)) {
      const errors = Value.Errors(FaultSchema, entry);
      const messages = errors.map(
        ({ instancePath, message }) => `${where}${instancePath}: ${MEANINGS[instancePath] ?? message}`,
      );
      return [...new Set(messages)].slice(0, 10);
    }
    if (entry.drop && (entry.status !== undefined || entry.body !== undefined)) {
      return [`${where}: a dropped connection has no status or body`];
    }
    if (entry.saved && entry.status === undefined) return [`${where}: saved requires a status`];
    const hasNoEffect = entry.status === undefined && entry.body === undefined && !entry.drop && !entry.delayMs;
    return hasNoEffect ? [`${where}: set status, body, delayMs or drop`] : [];
  });
}
