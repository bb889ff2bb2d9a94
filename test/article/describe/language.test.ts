import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderArticlePage } from '../../../api/articles/page/page.ts';
import { getDirection, readLanguageTag } from '../../../article/language/language-tag.ts';
import { readDocument } from '../../../article/read-document.ts';
import { derive, NOW, SITE, withFrontmatter } from '../support/documents.ts';
import { buildStoredArticle, derivedArticle } from '../support/stored-article.ts';

/** Prose in each language, with English names as in articles about software. */
const PROSE: Record<string, string> = {
  en: 'Last week our deploy broke because a Docker image had no tag, and nobody had noticed.',
  de: 'Letzte Woche ist unser Deploy gescheitert, weil ein Docker-Image keinen Tag hatte.',
  fr: 'Installez Docker, lancez npm install puis ouvrez localhost. Les pods redémarrent si la sonde échoue.',
  es: 'La semana pasada falló nuestro deploy porque una imagen de Docker no tenía tag.',
  pt: 'Instale o Docker, rode npm install e abra localhost. Os pods reiniciam quando a probe falha.',
  it: "La settimana scorsa il nostro deploy è fallito perché un'immagine Docker non aveva un tag.",
  nl: 'Vorige week ging onze deploy stuk omdat een Docker-image geen tag had.',
  pl: 'W zeszłym tygodniu nasz deploy się zepsuł, bo obraz Dockera nie miał tagu.',
  ru: 'На прошлой неделе наш деплой сломался, потому что у образа Docker не было тега.',
  uk: 'Минулого тижня наш деплой зламався, бо образ Docker не мав тегу.',
  tr: 'Geçen hafta deployumuz bozuldu, çünkü bir Docker imajının etiketi yoktu.',
  vi: 'Tuần trước bản deploy của chúng tôi bị hỏng vì một image Docker không có tag.',
  ja: 'Docker をインストールして npm install を実行します。Pod は probe が失敗すると再起動します。',
  zh: '安装 Docker，然后运行 npm install。当 probe 失败时 Kubernetes 会重启 Pod。',
  ko: '지난주에 Docker 이미지에 태그가 없어서 배포가 깨졌습니다.',
  ar: 'في الأسبوع الماضي تعطل النشر لأن صورة Docker لم يكن لها وسم.',
  fa: 'هفته گذشته استقرار ما خراب شد چون یک ایمیج داکر برچسب نداشت.',
  he: 'בשבוע שעבר הפריסה שלנו נשברה כי לתמונת Docker לא היה תג.',
  hi: 'पिछले हफ्ते हमारा डिप्लॉय टूट गया क्योंकि एक Docker इमेज में टैग नहीं था।',
};

test('the language of an article is detected from its prose, whatever names and code it contains', async () => {
  const code = '```ts\nconst theme = "this is English, and so is the rest of it";\n```\n\n`docker run --rm image`\n';
  for (const [tag, prose] of Object.entries(PROSE)) {
    assert.equal((await derive(`${prose}\n\n${code}`)).language, tag, tag);
  }
});

test('text that is too short or no prose has no language', async () => {
  for (const body of ['Hello!\n', '```js\nconst a = 1;\n```\n', '1 2 3 4 5\n', '🎉🎉🎉\n', ''])
    assert.equal((await derive(body, 'title: T')).language, null, body);
});

test('a language in the frontmatter takes precedence; other values of its keys are no error', async () => {
  for (const [line, tag] of [
    ['lang: de', 'de'],
    ['Language: pt-br', 'pt-BR'],
    ['locale: zh_CN', 'zh-CN'],
    ['locale: en_US.UTF-8', 'en-US'],
    ['lang: zh-hant-tw', 'zh-Hant-TW'],
    ['language: Python\nlocale: fr', 'fr'],
    ['lang: en\nlocale: fr', 'en'],
  ] as const)
    assert.equal((await derive(PROSE.it ?? '', `title: T\n${line}`)).language, tag, line);
  for (const line of [
    'lang: English',
    'language: TypeScript',
    'lang: und',
    'lang: xx',
    'lang: [en]',
    'lang: "e"',
    'lang:',
  ])
    assert.equal((await derive(PROSE.it ?? '', `title: T\n${line}`)).language, 'it', line);
  const read = readDocument({ content: withFrontmatter('title: T\nlang: de\nlocale: fr'), now: NOW });
  assert.deepEqual(read.ok && read.hints.map(({ path }) => path), ['locale'], 'what is read is not named as ignored');
});

test('language tags follow BCP 47, and the script determines the direction', () => {
  assert.equal(readLanguageTag('EN-us'), 'en-US');
  for (const text of ['', 'x-private', 'i-klingon', 'en-', 'en us', '"><script>', 'abcd', 'de-DE-'.repeat(20)])
    assert.equal(readLanguageTag(text), null, text);
  for (const tag of ['ar', 'he', 'fa', 'ur', 'ckb', 'yi', 'az-Arab']) assert.equal(getDirection(tag), 'rtl', tag);
  for (const tag of ['en', 'ja', 'ar-Latn', 'ru', 'hi']) assert.equal(getDirection(tag), 'ltr', tag);
});

test('the page states the language and direction of the article, and leaves both open if they are unknown', () => {
  const page = (language: string | null) => {
    const around = {
      author: { bio: null, pictureUrl: null },
      series: null,
      copies: [],
      related: [],
      reactions: [],
      discussion: null,
    };
    return renderArticlePage(buildStoredArticle({ derived: { ...derivedArticle, language } }), around, {
      baseUrl: SITE,
      generateToc: false,
    });
  };
  assert.match(page('he'), /<article class="reading" lang="he" dir="rtl"/);
  assert.match(page('pt-BR'), /<article class="reading" lang="pt-BR" dir="ltr"/);
  assert.match(page('he'), /<p class="byline" lang="en" dir="ltr">/);
  assert.match(page(null), /<article class="reading" lang="" dir="auto"/);
});
