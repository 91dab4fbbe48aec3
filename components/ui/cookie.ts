const YEAR_SECONDS = 365 * 86_400;

/** Stores a value for the server's next pages. */
export function setCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: `cookieStore` exists only over HTTPS.
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
