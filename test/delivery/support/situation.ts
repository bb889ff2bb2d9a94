/** Situations and platforms for the tables: each case says only what is special about it. */
import type { PlatformRules, Situation } from '../../../delivery/types.ts';

export interface Given {
  article?: Partial<Situation['article']>;
  connection?: Partial<NonNullable<Situation['connection']>> | null;
  delivery?: Partial<Situation['delivery']>;
}

/** A published article that is wanted at a connected destination and was never sent there. */
export function situation({ article, connection, delivery }: Given): Situation {
  return {
    article: { status: 'PUBLISHED', dispatch: 1, wanted: true, eligible: true, hash: 'h1', ...article },
    connection:
      connection === null
        ? null
        : { id: 'c', platform: 'forem', status: 'active', credentialVersion: 2, ...connection },
    delivery: {
      id: 'd',
      state: 'pending',
      remoteId: null,
      remoteUrl: null,
      deliveredHash: null,
      withdrawnAt: null,
      handledDispatch: 0,
      skippedDispatch: 0,
      withdrawRequested: false,
      attempt: 0,
      inFlightAction: null,
      inFlightForMs: null,
      canRepeat: false,
      ...delivery,
    },
  };
}

/** Like Forem: finds its posts, changes them and takes them back. */
export const canBeAsked: PlatformRules = {
  label: 'Askable',
  limits: { readLagMs: 1_000, canFind: true, canUpdate: true, withdraw: 'unpublished', repeat: null },
};

/** Like Medium: makes posts, and nothing else. */
export const cannotBeAsked: PlatformRules = {
  label: 'Unasked',
  limits: { readLagMs: 1_000, canFind: false, canUpdate: false, withdraw: 'none', repeat: null },
};

/** Like LinkedIn: answers an identical request with the post that the first one made. */
export const recognisesRepeats: PlatformRules = {
  label: 'Repeatable',
  limits: {
    ...cannotBeAsked.limits,
    withdraw: 'deleted',
    repeat: { afterMs: 60_000, withinMs: 600_000 },
  },
};
