/** What the stand-in keeps. */

export interface LinkedinPost {
  id: string;
}
