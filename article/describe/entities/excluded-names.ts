/** Recognises capitalised words that are no names: grammar, calendar, common abbreviations. */
import { STOP_WORDS } from '../keywords/stop-words.ts';

const CALENDAR =
  'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo montag dienstag mittwoch donnerstag freitag samstag sonntag';
const ABBREVIATIONS =
  'api apis url urls uri ui ux id ids pr prs ok faq faqs tldr tl dr todo fyi imo imho btw asap aka eta cli gui os pc rfc mr mrs ms am pm utc gmt est pst kb mb gb tb kib mib gib hz ghz cpu gpu ram ssd hdd ide repl ci cd mvp poc lts eol wip qa devs dev crud eg ie ii iii iv vi vii pdf csv qed ps nb note notes warning important caution tip info update edit figure fig table section chapter part step appendix example version readme changelog license contributing';
/** Words that documentation capitalises for its own concepts. */
const THINGS =
  'team teams tier page pages guide guides template templates source sources function functions service services hook hooks plugin plugins decorator decorators comment comments option options output outputs target targets project projects space method methods property properties class classes type types struct enum trait module modules package packages component components widget widgets group groups item items node nodes user users server client request response error errors result results field fields value values object objects array string number boolean container containers pointer pointers node action actions event events feature features release releases issue issues foo bar baz qux fork host layout header footer markup web internet english';
const IMPERATIVES =
  'add adjust allow apply assume avoid build check choose click clone close compare configure consider convert copy create define delete deploy deprecate disable download drop edit enable ensure enter execute expand explore expose extend fetch fix generate handle ignore implement improve increase initialize insert install introduce join learn list load locate mark meet merge migrate move navigate notice open optimize paste pick prefer press prevent print publish pull push read rebuild recall reduce refactor refer register release remember remove rename replace report request require reset restart return review rewrite save scan search select send separate share sign skip specify split stabilize store submit subscribe support switch test track treat type uninstall unlike update upgrade upload verify visit wait wrap write congratulations congrats kudos cheers hello hi hey dear huge many lots cc vs per';

const NO_NAMES = new Set(`${CALENDAR} ${ABBREVIATIONS} ${THINGS}`.split(' '));
const OPENERS = new Set(IMPERATIVES.split(' '));
/** The only stop word that is often a name. A capital inside a sentence makes it one. */
const GO = 'go';

export function isExcludedName(name: string): boolean {
  const key = name.toLowerCase();
  if (NO_NAMES.has(key) || (STOP_WORDS.has(key) && key !== GO)) return true;
  // Versions, quarters and headings (V3, Q1, H2), words in capitals, adverbs and abstract nouns.
  if (/^[HQV]\d+$/u.test(name) || /^\p{Lu}{7,}$/u.test(name)) return true;
  return !name.includes(' ') && /^\p{Lu}\p{Ll}+(?:ly|ations?|ptions?|ments?|ness|ities)$/u.test(name);
}

/**
 * Removes ordinary words around a name: "Using Grafana Loki" gives `Grafana Loki`. `isMoved`: words
 * before it were removed, so the sentence does not require its capital.
 */
export function stripOrdinary(phrase: string, isStart: boolean): { name: string; isMoved: boolean } {
  const words = phrase.split(' ');
  const isOrdinary = (word: string, isFirst: boolean): boolean => {
    const key = word.toLowerCase().replace(/['’].*$/, '');
    if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(word)) return false;
    if (key === GO && !(isFirst && isStart)) return false;
    return (
      STOP_WORDS.has(key) ||
      (isStart && isFirst && (OPENERS.has(key) || OPENERS.has(key.replace(/s$/, '')) || /(?:ing|ly)$/.test(key)))
    );
  };
  let from = 0;
  while (from < words.length && isOrdinary(words[from] ?? '', from === 0)) from += 1;
  let to = words.length;
  while (to > from && isOrdinary(words[to - 1] ?? '', false)) to -= 1;
  return { name: words.slice(from, to).join(' '), isMoved: from > 0 };
}
