/** What the stand-in keeps. */

export interface WordPressRecord {
  kind: 'wordpressPost';
  id: string;
}
