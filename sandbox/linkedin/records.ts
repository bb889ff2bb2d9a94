/** What the LinkedIn stand-in keeps. */

export interface LinkedinPost {
  /** `urn:li:share:<number>`. */
  id: string;
  author: string;
  /** As readers see it: without escapes, cut at an unescaped reserved character. */
  commentary: string;
  visibility: string;
  source: string | null;
  title: string;
  description: string;
  /** URN of the card's image. */
  thumbnail: string | null;
  /** Text and card as they were sent: an identical post is refused for a while. */
  fingerprint: string;
  createdAt: string;
  isDeleted: boolean;
}
