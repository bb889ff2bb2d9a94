/** What is sent to readers and agents, as it leaves: the same bytes for everybody who asks for the same address in the same form. */

/**
 * What an answer shows. When one of them changes, the answer is made again: an article by its id (its author's name, its comments
 * and reactions belong to it), an author's list of articles by the author's id, a series with its parts by its id, `articles` for what depends on any
 * public article of the site, `roundups` for what depends on which weeks have one, and how many people follow an author by the author's id.
 */
export type Subject =
  | `article:${string}`
  | `author:${string}`
  | `series:${string}`
  | `followers:${string}`
  | 'articles'
  | 'roundups';

export interface Answer {
  /** Only what is there is kept: 404 and 410 are made each time. */
  status: 200 | 404 | 410;
  /** Content type. */
  type: string;
  body: string | Buffer;
  /** Beside the content type, the validators and the headers of every answer. `Vary: Accept` where the form was chosen by it. */
  headers?: Record<string, string>;
  /** Of everything that is shown. Null for what will change by itself: nobody else may keep it, and it is kept here until its subjects change. */
  lastModified: Date | null;
  /** Nothing: it is not kept here either. */
  shows: readonly Subject[];
}

/** Answers without a body of their own are no answers: the address is another one. */
export interface Redirect {
  status: 301;
  location: string;
  shows: readonly Subject[];
}
