/** Sets the newest entry of a map, which loses its oldest one beyond `max` entries. */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys(); // maps keep insertion order
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
