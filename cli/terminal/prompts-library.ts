/** The prompts in use. A dynamic import of the package would keep all others in the bundle. */
export { multiselect, password, text } from '@clack/prompts';
