/** The README.md of an export. */

export function buildReadme(baseUrl: string): string {
  return `# Your data from ${baseUrl}

- \`articles/\`: each of your articles as Markdown with frontmatter, including drafts and scheduled ones.
- \`account.json\`: your profile, your series with their articles in order, and your connections without credentials.
- \`comments.json\`: your comments on articles.
- \`images/\`: the pictures that imports copied here, named after the last part of their addresses.
- \`copies.json\`: the known copies of your articles at other sites. \`isUncertain\` marks copies that may not exist.

## Publishing an article again

\`courant_id\` in each file identifies the article. Publishing a file from the same account updates that article. A file with the same content
changes nothing:

\`\`\`sh
courant publish articles/my-first-post.md
\`\`\`

To publish all files, ten per minute:

\`\`\`sh
for file in articles/*.md; do courant publish "$file"; sleep 6; done
\`\`\`

Publishing also delivers to the destinations under \`cross_post\` in the file. Content that a destination already has is not sent again. An article
that was never delivered to a connected destination (published with \`syndicationMode: "local"\`, or imported) is delivered. To store the
documents without deliveries, send them to \`POST ${baseUrl}/api/v1/articles\` with \`"syndicationMode": "local"\`.

In another account, \`courant_id\` matches no article at first. The first publish creates an article with it as the external id, so that
publishing twice creates only one article. Files refer to a series by title: create it first (\`createSeries\`), under the same title.
Other pictures stay at their addresses; the documents contain only the addresses.
`;
}
