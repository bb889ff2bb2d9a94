/** What such a mail says, before it is laid out. */

export interface LetterFacts {
  /** Their own, once their address is confirmed; until then whoever registered could write to a stranger in it, so it is their user name. */
  name: string;
  username: string;
  /** User name of the author whose newsletter it is; empty where none is meant. */
  author: string;
  address: string;
  /** Number of valid developer tokens of the account when the mail is sent. */
  developerTokens: number;
  /** When that happened which it tells of. */
  at: Date;
  siteUrl: string;
}

export interface Letter {
  subject: string;
  /** What an inbox shows beside the subject. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** The button, whose link is made for this mail: it can be used once, and for so long. */
  action: { label: string; path: string; hours: number } | null;
  /** After the button. */
  closing: string[];
  /** Why somebody gets it. */
  footer: string;
}
