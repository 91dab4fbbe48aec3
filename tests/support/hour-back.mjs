// Load with --import: SIGUSR2 sets the clock of this process back by an hour.
let backMs = 0;
process.on("SIGUSR2", () => {
  backMs = 60 * 60 * 1000;
});
const now = Date.now.bind(Date);
Date.now = () => now() - backMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, self),
});
