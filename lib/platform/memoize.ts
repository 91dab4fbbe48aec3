/** The function, but it computes its result only once for each argument. */
export function memoize<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const results = new WeakMap<Key, Value>();
  return (key) => {
    const known = results.get(key);
    if (known) return known;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
