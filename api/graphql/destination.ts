/** The `Destination` enum: the keys of `cross_post`. */
import { builder } from './builder.ts';

export const Destination = builder.enumType('Destination', {
  description: 'The keys of cross_post.',
  values: {
    blogsite_a: { description: 'Forem: dev.to or your own.' },
    blogsite_b: { description: 'Hashnode.' },
    blogsite_c: { description: 'Medium.' },
    cms_site: { description: 'Your own WordPress or Ghost.' },
    social_feed: { description: 'LinkedIn.' },
  } as const,
});
