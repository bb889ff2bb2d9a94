/** MJML ships no types; this is what is used of it. */
declare module 'mjml' {
  export default function mjml2html(
    source: string,
    options: { validationLevel: 'strict' | 'soft' | 'skip'; fonts: Record<string, string> },
  ): Promise<{ html: string; errors: { message: string }[] }>;
}
