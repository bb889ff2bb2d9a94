/** Removes web addresses from prose: their parts are not the author's words. */

const ADDRESS = /\b(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/|www\.)\S+/g;

export function dropAddresses(text: string): string {
  return text.includes('://') || text.includes('www.') ? text.replace(ADDRESS, ' ') : text;
}
