/** Recognises sentences that introduce nothing: greetings, notes about the post, credits. */

const HELLO =
  "hi|hiya|hello|hey|howdy|greetings|yo|good (?:morning|day|evening|afternoon)|welcome back|what[’']?s up|hallo|hi|moin|servus|guten (?:tag|morgen|abend)|bonjour|salut|coucou|hola|buenas|olá|oi|ciao|salve|hoi|hej|merhaba|привет|здравствуйте";
const DEAR = 'dear|liebe[rs]?|chers?|querid[oa]s?|estimad[oa]s?|lieve|beste|cari';
const END = '[!,.…~—–:-]*(?:[\\s\\p{Extended_Pictographic}\\p{Emoji_Modifier}]|\\u200d|\\ufe0f)*';
/** At most four words follow the greeting. Before a comma they must be a form of address. */
const LATIN = new RegExp(
  `^(?:(?:${HELLO})(?:,? (?:to )?(?:all|everyone|everybody|there|folks|friends|guys|again|and welcome|my \\p{L}+|dear \\p{L}+|fellow \\p{L}+|\\p{L}+ (?:community|family|readers?|friends)|community|family|readers?|people|team|world|dev|devs|developers?|zusammen|alle|leute|welt|à tous|tout le monde|a todos|todos|amigos|pessoal|a tutti|tutti|allemaal|всем|друзья)){0,2}|(?:${DEAR})(?: \\p{L}+){1,4})\\s*(?=[!,.…~—–:]|\\p{Extended_Pictographic}|$)${END}`,
  'iu',
);
const EXCLAIMED = new RegExp(`^(?:${HELLO})(?:,? [\\p{L}\\p{N}'’.-]+){1,4}\\s*[!👋]+${END}`, 'iu');
const OTHERS =
  /^(?:(?:大家|各位|你|您|诸位|朋友们|同学们|hello|hi|嗨|哈喽)[，, ]?(?:大家|各位|朋友们|同学们)?(?:好|早上好|晚上好)[呀啊]?|嗨|哈喽|(?:皆さん|みなさん|皆様)?[、,]?\s?(?:こんにちは|こんばんは|おはようございます|はじめまして|どうも)|안녕하세요|안녕|여러분 안녕하세요|مرحبا(?:ً)?(?: (?:بكم|بالجميع|جميعا|بك))?(?: جميعا(?:ً)?)?|أهلا(?:ً)?(?: وسهلا(?:ً)?)?(?: بكم)?|السلام عليكم(?: ورحمة الله(?: وبركاته)?)?|नमस्ते|שלום(?: לכולם)?|สวัสดี(?:ครับ|ค่ะ)?)(?=[!！。，,、.~～…؛،\s\p{Extended_Pictographic}]|$)(?:[!！。，,、.~～…؛،\s\p{Extended_Pictographic}]|\ufe0f)*/iu;

export function dropGreeting(sentence: string): string {
  for (const pattern of [LATIN, EXCLAIMED, OTHERS]) {
    const greeting = pattern.exec(sentence)?.[0];
    if (greeting === undefined || greeting === '') continue;
    const rest = sentence.slice(greeting.length);
    return rest.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
  return sentence;
}

const LABEL =
  /^(?:(?:quick |editor[’']s |author[’']s )?(?:note|nota bene|nb|update|updated|edit|edited|disclaimer|warning|caution|tip|info|important|source|sources|photo|image|cover|cover image|credits?|via|author|published|posted|date|originally|reading time|tags?|category|series|ps|p\.s|tl;?dr|spoiler(?: alert)?|prerequisites?|requirements?|hinweis|anmerkung|achtung|quelle|foto|stand|nota|remarque|aviso|actualización)(?: \(?\d[^:：]{0,30})?)\s*[:：.]|^(?:注|注意|注释|注記|備注|备注|说明|提示|更新|追記|来源|作者|译者|原文|翻译|转载|出典|写真|ملاحظة|تحديث|المصدر)[:：]/iu;
const ABOUT_POST =
  /^(?:(?:this|the following) (?:post|article|blog ?post|piece|story|guide|tutorial|text) (?:was|is|has been|also|first|originally)(?: \w+)? (?:originally|first|also|cross|re-?|part|available|sponsored|written|published|posted|translated|a (?:cross|translation|re-?post|guest|part|summary of a))|originally (?:published|posted|written|appeared)|(?:cross|re)-?posted|(?:(?:cover|header|hero|title|featured) )?(?:photo|image|illustration|picture|artwork)s? (?:by|from|credit|courtesy|via|source)|(?:see|check out|read|find|have a look at|take a look at) (?:also |out )?(?:the|our|my|this|all|more|part|also)\b|(?:you can )?(?:click|tap|subscribe|follow me|sign up|scroll|jump|skip) |(?:table of )?contents\b|part \d+ of|this is (?:the )?(?:part|first|second|third|\d)\b[^.]{0,30}(?:part|series|post|article)|(?:last|first) (?:updated|edited|published)|(?:posted|published|written|updated|translated|authored) (?:by|on|in|at)\b|\d+ min(?:ute)?s? read|dieser (?:artikel|beitrag|text) (?:erschien|wurde|ist zuerst)|cet article (?:a été|est d'abord)|este (?:artículo|artigo) (?:fue|foi)|(?:本文|文章)(?:首发|转载|最初|翻译|原载|同步)|この記事は.{0,40}(?:日目|転載|クロスポスト)|welcome (?:back|to (?:my|the|our) (?:blog|site|channel|newsletter|website))\b|welcome to (?:[^\s.!]+ ){0,5}[^\s.!]+[.!]$|(?:first(?:ly| of all)?,? )?(?:thank you|thanks)\b|this table of contents\b|(?:my name is|i[’']?m|i am) \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?[.!]$)/iu;

/** True for a sentence about the post, its author or its pictures. */
export function isSmallTalk(sentence: string): boolean {
  return LABEL.test(sentence) || ABOUT_POST.test(sentence);
}
