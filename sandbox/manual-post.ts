/**
 * The post that every second account made by hand and that Courant must never change. Its id or
 * slug would match by mistake: at WordPress the ids of the first site's next posts, elsewhere the
 * slug of the article published by `npm start`.
 */
export const MANUAL_POST = {
  slug: 'first-post',
  at: '2024-05-04T09:30:00.000Z',
  title: 'Harbour notes',
  text: 'Written by hand, long before anything was published from elsewhere.',
};
