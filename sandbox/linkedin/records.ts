/** The record of the simulated LinkedIn. */

export interface LinkedinPost {
  /** `urn:li:share:<number>`. */
  id: string;
  author: string;
  /** The text that readers see: without escapes, cut at an unescaped reserved character. */
  commentary: string;
  visibility: string;
  source: string | null;
  title: string;
  description: string;
  /** URN of the card's image. */
  thumbnail: string | null;
  /** Text and card as sent. An identical post is refused for a while. */
  fingerprint: string;
  createdAt: string;
  isDeleted: boolean;
}
