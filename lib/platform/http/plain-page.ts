const COLOURS = "background: light-dark(#ffffff, #0e0f12); color: light-dark(#15171b, #eceef1)";
const FONT = "14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const LOOK = `color-scheme: light dark; ${COLOURS}; font: ${FONT}`;
const LINE = "1px solid light-dark(#e3e5e9, #272a30)";
const MUTED = "color: light-dark(#59606c, #9da4b0)";
const ACCENT = "light-dark(#3046c9, #9aabff)";
const LOGO = `<svg viewBox="2 2 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d="M2 3h7v3H2zM2 14h16v3H2z"/><path style="fill: ${ACCENT}" d="M2 8.5h12v3H2z"/></svg>`;

const NAMES = { 404: "Not found", 503: "Unavailable" };

interface Plain {
  /** 404 by default. */
  status?: keyof typeof NAMES;
  title: string;
  /** Trusted HTML; never user input. */
  sentences: string[];
  /** Where to go instead: a path, its name, and what is there. */
  links?: [href: string, name: string, about: string][];
}

/**
 * An HTML page for a failure, without scripts. It looks like the pages' own: their Content
 * Security Policy allows style attributes, but no style sheet without a nonce.
 */
export function plainPage(plain: Plain): string {
  return `<!doctype html>
<html lang="en" style="${LOOK}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${NAMES[plain.status ?? 404]} · Agent Infrastructure</title>
</head>
<body style="margin: 0">
${contentOf(plain)}
</body>
</html>
`;
}

/** The same for the body of a document that is empty without scripts. */
export function withoutScripts(plain: Plain): string {
  return `<noscript><div style="position: fixed; inset: 0; overflow: auto; ${LOOK}">${contentOf(plain)}</div></noscript>`;
}

function contentOf({ status = 404, title, sentences, links = [] }: Plain): string {
  const shown = sentences.map((html) => `<p style="margin: 12px 0 0; ${MUTED}">${html}</p>`);
  const items = links.map(
    ([href, name, about]) =>
      `<li><a style="color: ${ACCENT}; text-underline-offset: 3px" href="${href}">${name}</a><span style="${MUTED}">: ${about}</span></li>`,
  );
  const list =
    '<ul style="display: grid; gap: 6px; margin: 20px 0 0; padding: 0; list-style: none">';
  const content = [...shown, ...(links.length > 0 ? [list, ...items, "</ul>"] : [])];
  return `<header style="padding: 12px 24px; border-bottom: ${LINE}">
<a style="display: inline-flex; align-items: center; gap: 10px; color: inherit; font-weight: 600; text-decoration: none" href="/">${LOGO}Agent Infrastructure</a>
</header>
<main style="max-width: 592px; margin: 0 auto; padding: 64px 24px">
<p style="margin: 0; font: 12px/1.5 ui-monospace, monospace; ${MUTED}">${status}</p>
<h1 style="margin: 4px 0 0; font-size: 20px; font-weight: 600; line-height: 1.3">${title}</h1>
${content.join("\n")}
</main>`;
}
