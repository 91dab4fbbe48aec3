import type { Instrumentation } from "next";

// Next also compiles this file for the edge runtime, which we do not use.

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { register } = await import("@/app/_shared/instrumentation");
  await register();
}

export const onRequestError: Instrumentation.onRequestError = async (...failure) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { onRequestError } = await import("@/app/_shared/instrumentation");
  await onRequestError(...failure);
};
