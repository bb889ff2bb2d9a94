/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */

/** Says the id of an author who has just been suspended or deleted; raised by a trigger, so whoever does it and however (migrations 0010, 0015). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';
