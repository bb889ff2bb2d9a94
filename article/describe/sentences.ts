/** Splits text into sentences by Unicode's rules, corrected for abbreviations and addresses. */

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const ABBREVIATION =
  /(?:^|[\s(])(?:[Ee]\.g|[Ii]\.e|vs|cf|viz|approx|incl|resp|Mr|Mrs|Ms|Dr|Prof|Jr|[Vv]ol|[Ff]igs?|et al|[Zz]\.\s?B|[Dd]\.\s?h|u\.\s?a|bzw|ca|evtl|ggf|[Vv]gl|p\.\s?ej|[ZzDd])\.$/;
/** Lower case continues a sentence. A tool with a lowercase name therefore joins two sentences. */
const CONTINUES = /^(?:[\p{Ll}\d]|\.\.|…)/u;

export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenter.segment(text)) {
    const isContinued = open !== '' && (endsInAbbreviation(open) || continuesWith(open, segment));
    if (!isContinued && open !== '') sentences.push(open.trim());
    open = isContinued ? open + segment : segment;
  }
  sentences.push(open.trim());
  return sentences.filter((sentence) => sentence !== '');
}

function continuesWith(open: string, segment: string): boolean {
  const isSplitWord = !/\s$/.test(open) && /[.?!]$/.test(open);
  return CONTINUES.test(segment) && (isSplitWord || !/^\d/.test(segment)) && !/[。！？]\s*$/u.test(open);
}

export function endsInAbbreviation(text: string): boolean {
  return ABBREVIATION.test(text.slice(-12).trimEnd());
}

const ADDRESS = /\b(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/|www\.)\S+/g;

/** Removes web addresses: their parts are not the author's words. */
export function dropAddresses(text: string): string {
  return text.includes('://') || text.includes('www.') ? text.replace(ADDRESS, ' ') : text;
}
