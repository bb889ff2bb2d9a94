/** `1 copy`, `2 copies` */
export function formatQuantity(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
