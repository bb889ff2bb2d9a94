/** Takes web addresses out of prose: their parts are no words of the author's. */

const ADDRESS = /\b(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/|www\.)\S+/g;

export function dropAddresses(text: string): string {
  return text.includes('://') || text.includes('www.') ? text.replace(ADDRESS, ' ') : text;
}
