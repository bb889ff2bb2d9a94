/** Whether a part of an address can be a name of ours at all; what cannot is 404 without asking the database, which would choke on a NUL. */
export function canBeName(text: string): boolean {
  return text.length <= 200 && !/\p{Cc}/u.test(text) && text.isWellFormed();
}
