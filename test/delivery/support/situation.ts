/** Default situations and platforms for the tables: each case states only its differences. */
import type { PlatformRules, Situation } from '../../../delivery/types.ts';

export interface SituationOverrides {
  article?: Partial<Situation['article']>;
  connection?: Partial<NonNullable<Situation['connection']>> | null;
  delivery?: Partial<Situation['delivery']>;
}

/** By default, a published article selected for a connected destination and never sent to it. */
export function buildSituation({ article, connection, delivery }: SituationOverrides): Situation {
  const { presence = 'absent', remoteId = null } = delivery ?? {};
  return {
    article: {
      status: 'PUBLISHED',
      dispatch: 1,
      isSelected: true,
      isImported: false,
      isEligible: true,
      isSuspended: false,
      hash: 'h1',
      ageMs: 1_000,
      ...article,
    },
    connection:
      connection === null
        ? null
        : { id: 'c', accountId: 'a', platform: 'forem', status: 'active', version: 2, ...connection },
    delivery: {
      hasLiveCopy: presence === 'live' || (presence === 'uncertain' && remoteId !== null),
      id: 'd',
      version: 4,
      presence: 'absent',
      remoteId: null,
      remoteUrl: null,
      contentHash: null,
      handledDispatch: 0,
      skippedDispatch: 0,
      withdrawRequested: false,
      failedWith: null,
      overwrite: false,
      inFlight: null,
      unanswered: [],
      wasAttempted: false,
      wasRestored: false,
      ...delivery,
    },
  };
}

/** As Forem: can find, update and withdraw posts. */
export const withLookUp: PlatformRules = {
  label: 'With look-up',
  limits: { readLagMs: 1_000, canFind: true, canUpdate: true, withdraw: 'unpublished', repeat: null },
};

/** As Medium: can only create posts. */
export const createOnly: PlatformRules = {
  label: 'Create only',
  limits: { readLagMs: 1_000, canFind: false, canUpdate: false, withdraw: 'none', repeat: null },
};

/** As LinkedIn: answers an identical request with the first request's post. */
export const withRepeat: PlatformRules = {
  label: 'With repeat',
  limits: {
    ...createOnly.limits,
    withdraw: 'deleted',
    repeat: { afterMs: 60_000, withinMs: 600_000 },
  },
};
