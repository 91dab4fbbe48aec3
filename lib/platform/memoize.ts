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

/**
 * The value that is kept under this key. If there is none, makes it, and keeps it unless it is a
 * promise that fails.
 */
export function remembered<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    kept.set(key, value);
    Promise.resolve(value).catch(() => kept.delete(key));
  }
  return value;
}
