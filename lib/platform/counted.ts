/** "1 event", "2,000 inboxes". */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith("x") ? `${noun}es` : `${noun}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}
