/** The content of a mail about an account, before its layout. */

export interface AccountMailFacts {
  /**
   * The person's name once their address is confirmed, else the user name. Otherwise a registration
   * could send a free text to a stranger.
   */
  name: string;
  username: string;
  /** User name of the author of the newsletter; empty for other mails. */
  author: string;
  address: string;
  /** Number of valid developer tokens of the account when the mail is sent. */
  developerTokens: number;
  /** The time of the event that the mail reports. */
  at: Date;
  siteUrl: string;
}

export interface AccountMail {
  subject: string;
  /** The text that an inbox shows beside the subject. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** The button. Its link is valid for one use within `hours`. */
  action: { label: string; path: string; hours: number } | null;
  /** The paragraphs after the button. */
  closing: string[];
  /** The reason why the person receives the mail. */
  footer: string;
}
