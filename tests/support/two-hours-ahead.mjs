// Load with --import: sets the clock of this process two hours ahead.
const AHEAD_MS = 2 * 60 * 60 * 1000;
const now = Date.now.bind(Date);
Date.now = () => now() + AHEAD_MS;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, self),
});
