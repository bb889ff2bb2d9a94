/** MJML has no types. Declares only the part in use. */
declare module 'mjml' {
  export default function mjml2html(
    source: string,
    options: { validationLevel: 'strict' | 'soft' | 'skip'; fonts: Record<string, string> },
  ): Promise<{ html: string; errors: { message: string }[] }>;
}
