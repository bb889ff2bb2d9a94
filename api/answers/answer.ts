/** What is sent to readers and agents, as it leaves: the same bytes for everybody who asks for the same address in the same form. */

/**
 * What an answer shows. When one of them changes, the answer is made again: an article by its id (its author's name and its comments
 * belong to it), an author's list of articles by the author's id, `articles` for what depends on any public article of the site, and
 * `roundups` for what depends on which weeks have one.
 */
export type Subject = `article:${string}` | `author:${string}` | 'articles' | 'roundups';

export interface Answer {
  status: 200 | 404 | 410;
  /** Content type. */
  type: string;
  body: string | Buffer;
  /** Beside the content type, the validators and the headers of every answer. */
  headers?: Record<string, string>;
  /** Of everything that is shown. Null for what will change by itself and must not be kept by anybody. */
  lastModified: Date | null;
  shows: readonly Subject[];
}

/** Answers without a body of their own are no answers: the address is another one. */
export interface Redirect {
  status: 301;
  location: string;
  shows: readonly Subject[];
}
