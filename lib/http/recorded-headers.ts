/**
 * The headers of a stranger's request as they are kept: lower-case names, repeated values joined.
 * Left out is what names or authorises somebody, because the record is shared with strangers, and
 * what the platform adds. In the order of arrival; `__proto__` is a name like any other.
 */
export function recordedHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const recorded = new Map<string, string>();
  for (const [givenName, value] of headers) {
    const name = givenName.toLowerCase();
    if (NOT_RECORDED.test(name)) continue;
    const before = recorded.get(name);
    recorded.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(recorded);
}

const NOT_RECORDED =
  /^(authorization|proxy-authorization|cookie|forwarded|x-real-ip|x-forwarded-.*|x-vercel-.*)$/;
