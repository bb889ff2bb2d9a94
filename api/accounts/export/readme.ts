/** The README.md of an export. */

export function buildReadme(baseUrl: string): string {
  return `# Everything of yours at ${baseUrl}

- \`articles/\`: each of your articles as Markdown with frontmatter, drafts and scheduled ones too.
- \`account.json\`: your profile, your series with their articles in order, and your connections without their credentials.
- \`comments.json\`: what you wrote under articles.
- \`images/\`: the pictures that imports copied here, under the names that end their addresses.
- \`copies.json\`: the copies of your articles at other sites, as far as they are known; \`isUncertain\` are those that may be there or not.

## Publishing an article again

Each file says in \`courant_id\` which article it is. Published by the account that it comes from, it updates that article, and changes nothing
where it says the same as before:

\`\`\`sh
courant publish articles/my-first-post.md
\`\`\`

All of them, ten a minute:

\`\`\`sh
for file in articles/*.md; do courant publish "$file"; sleep 6; done
\`\`\`

Publishing also asks again for the deliveries that a file names under \`cross_post\`. What a destination carries already is not sent again;
where an article never went out to a destination that is connected now (published with \`syndicationMode: "local"\`, or imported), it does. To store the
documents and deliver nothing, send them to \`POST ${baseUrl}/api/v1/articles\` with \`"syndicationMode": "local"\`.

In another account \`courant_id\` names nothing there yet: the first publish makes a new article that keeps it as its own external id, so
publishing twice makes no second one. A series is named as you named it: create it first (\`createSeries\`), under the same title.
Other images stay where they are; only their addresses are in the documents.
`;
}
