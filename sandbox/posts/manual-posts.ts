/**
 * Posts of the second accounts that Courant did not send and must never change or withdraw. Their
 * ids and slugs would match by mistake: WordPress ids equal those of the first site's next posts;
 * elsewhere the slug equals that of the article published by `npm start`.
 */
import {
  SECOND_HASHNODE_PUBLICATION,
  SECOND_LINKEDIN_PERSON,
  SECOND_MEDIUM_USER,
  SECOND_WORDPRESS,
  THIRD_WORDPRESS,
} from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { WordPressPost } from '../wordpress/records.ts';

const SLUG = 'first-post';
const AT = '2024-05-04T09:30:00.000Z';
const TITLE = 'Harbour notes';
const TEXT = 'Written by hand, long before anything was published from elsewhere.';
/** Their ids equal those of the next posts on the first site. */
const WORDPRESS_POSTS = 12;

/** Adds only missing posts, so a restart changes nothing. */
export function addManualPosts({ state }: SandboxContext): void {
  state.addManualPost(
    'blogsite_a',
    {
      id: '901',
      username: 'second',
      title: TITLE,
      slug: 'harbour-notes-18h',
      bodyMarkdown: TEXT,
      tags: ['sea'],
      canonicalUrl: null,
      description: null,
      mainImage: null,
      series: null,
      published: true,
      publishedAt: AT,
      createdAt: AT,
      editedAt: null,
    },
    AT,
  );
  state.addManualPost(
    'blogsite_b',
    {
      id: '665f1f77bcf86cd799439031',
      publicationId: SECOND_HASHNODE_PUBLICATION,
      title: TITLE,
      subtitle: null,
      slug: SLUG,
      contentMarkdown: TEXT,
      tags: [{ slug: 'sea', name: 'sea' }],
      canonicalUrl: null,
      coverImage: null,
      metaTitle: null,
      metaDescription: null,
      ogImage: null,
      disableComments: false,
      isDelisted: false,
      enableToc: false,
      publishedAt: AT,
      updatedAt: null,
    },
    AT,
  );
  state.addManualPost(
    'blogsite_c',
    {
      id: '665f1f77bcf8',
      authorId: SECOND_MEDIUM_USER,
      title: TITLE,
      contentFormat: 'markdown',
      content: TEXT,
      tags: [],
      canonicalUrl: null,
      publishStatus: 'public',
      license: 'all-rights-reserved',
      path: '/medium/@second/harbour-notes-665f1f77bcf8',
      createdAt: AT,
    },
    AT,
  );
  for (let number = 1; number <= WORDPRESS_POSTS; number += 1) {
    state.addManualPost('cms_site', buildWordPressPost(number), AT);
  }
  state.addManualPost(
    'cms_site',
    {
      kind: 'ghostPost',
      site: 'ghost-site-b',
      id: '665f1f77bcf86cd799439041',
      uuid: '5c1d0a7e-3f0b-4a54-9d5b-6b8f2a0c1e41',
      title: TITLE,
      slug: SLUG,
      html: `<p>${TEXT}</p>`,
      status: 'published',
      tags: ['sea'],
      canonicalUrl: null,
      featureImage: null,
      customExcerpt: null,
      metaTitle: null,
      metaDescription: null,
      createdAt: AT,
      updatedAt: AT,
      publishedAt: AT,
      isDeleted: false,
    },
    AT,
  );
  state.addManualPost(
    'social_feed',
    {
      id: 'urn:li:share:6999999999999999001',
      author: `urn:li:person:${SECOND_LINKEDIN_PERSON}`,
      commentary: TEXT,
      visibility: 'PUBLIC',
      source: null,
      title: TITLE,
      description: '',
      thumbnail: null,
      fingerprint: JSON.stringify([TEXT, null]),
      createdAt: AT,
      isDeleted: false,
    },
    AT,
  );
}

/**
 * Every second post has the site's other user as its author. The first one has the slug of the
 * example.
 */
function buildWordPressPost(number: number): WordPressPost {
  return {
    kind: 'wordpressPost',
    site: 'wordpress-b',
    id: String(100 + number),
    author: (number % 2 === 1 ? SECOND_WORDPRESS : THIRD_WORDPRESS).username,
    title: number === 1 ? TITLE : `${TITLE} ${number}`,
    content: `<p>${TEXT}</p>`,
    excerpt: '',
    slug: number === 1 ? SLUG : `harbour-notes-${number}`,
    status: 'publish',
    tags: [],
    featuredMedia: 0,
    commentStatus: 'open',
    createdAt: AT,
    modifiedAt: AT,
  };
}
