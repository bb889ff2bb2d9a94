/** Announced by triggers on commit, whoever changes what readers see and however (migration 0017): subjects, separated by blanks. */
export const CHANGE_CHANNEL = 'courant_changes';

/** In place of subjects where they would be too many. */
export const EVERYTHING = 'everything';
