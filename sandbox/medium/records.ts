/** What the stand-in keeps. */

export interface MediumPost {
  id: string;
}
