/** What the stand-in keeps. */

export interface GhostRecord {
  kind: 'ghostPost';
  id: string;
}
