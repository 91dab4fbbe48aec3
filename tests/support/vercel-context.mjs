// Load with --import: the request context that Vercel gives to functions. Prints how long the
// instance had to wait for each piece of work.
globalThis[Symbol.for("@vercel/request-context")] = {
  get: () => ({
    waitUntil(work) {
      const began = performance.now();
      work.then(() => console.log(`waited ${Math.round(performance.now() - began)} ms`));
    },
  }),
};
