/** The `Link` header of the home page, as HTML and as text. */
export const DISCOVERY_LINKS = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</auth.md>; rel="service-doc"; type="text/markdown"',
  '</docs>; rel="help"; type="text/html"',
].join(", ");
