/** Adds to the count of a name, or takes from it. A count of 0 takes no memory. */
export function increment(counts: Map<string, number>, name: string, amount: number): void {
  const count = (counts.get(name) ?? 0) + amount;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
