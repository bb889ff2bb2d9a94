/** Triggers notify this channel on commit with blank-separated cache tags. */
export const CHANGE_CHANNEL = 'courant_changes';

/** Payload that replaces the cache tags if there are too many. */
export const ALL_CACHE_TAGS = 'everything';
