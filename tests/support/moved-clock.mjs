// Load with --import: the clock of this process is CLOCK_MS ahead, and by CLOCK_STEP_MS more after a SIGUSR2.
// By performance.now() each SIGUSR2 lets PASSED_MS pass, so that a wait is over when it next looks.
let aheadMs = Number(process.env.CLOCK_MS ?? 0);
let passedMs = 0;
process.on("SIGUSR2", () => {
  aheadMs += Number(process.env.CLOCK_STEP_MS ?? 0);
  passedMs += Number(process.env.PASSED_MS ?? 0);
});
const now = Date.now.bind(Date);
Date.now = () => now() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, self),
});
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() + passedMs;
