/** The GraphQL schema: the table of contents of its subjects. Each import adds what it holds to the builder. */
import { meterAnswers } from './bounds/answer-meter.ts';
import { builder } from './builder.ts';
import './subjects/accounts.ts';
import './subjects/article-commands.ts';
import './subjects/articles.ts';
import './subjects/comments.ts';
import './subjects/connections.ts';
import './subjects/deliveries.ts';
import './subjects/delivery-commands.ts';
import './subjects/developer-tokens.ts';
import './subjects/digest-settings.ts';
import './subjects/engagement.ts';
import './subjects/follows.ts';
import './subjects/leaving.ts';
import './subjects/moderation.ts';
import './subjects/newsletter.ts';
import './subjects/notifications.ts';
import './subjects/profiles.ts';
import './subjects/series/parts.ts';
import './subjects/series/series.ts';
import './subjects/sessions.ts';

export const schema = meterAnswers(builder.toSchema());
