const SHOWN_MAX = 60;

/** The first match wins, since most user agents also name other browsers. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** "Firefox on Linux". An unknown user agent is shown unchanged, but truncated. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return "Unknown device";
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  if (browser) return browser;
  return userAgent.length > SHOWN_MAX ? `${userAgent.slice(0, SHOWN_MAX)}…` : userAgent;
}

function firstOf(known: [RegExp, string][], userAgent: string): string | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1];
}
