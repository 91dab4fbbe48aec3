// Loaded with --import: the clock of this process is two hours ahead of everybody else's.
const AHEAD_MS = 2 * 60 * 60 * 1000;
const now = Date.now.bind(Date);
Date.now = () => now() + AHEAD_MS;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, self),
});
