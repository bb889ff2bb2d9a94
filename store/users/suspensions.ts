/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */

/** Says the id of an author who has just been suspended; raised by a trigger, so whoever does it and however (migration 0010). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';
