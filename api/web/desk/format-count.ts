/** `1 copy`, `2 copies` */
export function formatQuantity(count: number, singular: string, plural: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}
