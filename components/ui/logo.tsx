/** The service's logo and name, as a link to the home page. */
export function HomeLink({ className = "" }: { className?: string }) {
  return (
    <a href="/" className={`flex items-center gap-2.5 font-semibold ${className}`}>
      <Logo />
      Agent Infrastructure
    </a>
  );
}

/** The service's logo in the colour of the text around it. `app/icon.svg` is the same drawing. */
export function Logo() {
  return (
    <svg viewBox="2 2 16 16" className="size-4 shrink-0" aria-hidden="true">
      <path className="fill-ink" d="M2 3h7v3H2zM2 14h16v3H2z" />
      <path className="fill-accent" d="M2 8.5h12v3H2z" />
    </svg>
  );
}
