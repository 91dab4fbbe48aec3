"use client";

/** Shown instead of a page that failed. Kept small, because Next includes it in every page. */
export default function PageError({ retry }: { retry: () => void }) {
  return (
    <div role="alert" className="mx-auto max-w-[40rem] px-4 py-16 sm:px-6">
      <h1 className="text-title font-semibold tracking-tight">
        This page cannot be shown right now
      </h1>
      <p className="mt-3 text-muted">
        Something went wrong on our side. Nothing that you saved is lost.
      </p>
      <p className="mt-5 flex flex-wrap items-center gap-4">
        <button type="button" onClick={retry} className="button button-primary">
          Try again
        </button>
        <a href="/dashboard" className="link">
          Overview
        </a>
      </p>
    </div>
  );
}
