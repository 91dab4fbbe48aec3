/** Carries the path of a request from the proxy to the page; a client's own value is overwritten. */
export const PATH_HEADER = "request-path";
