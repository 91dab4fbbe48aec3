/** An HTML page for a 404, without scripts. `content` is HTML with nothing of the visitor's. */
export function plainPage({ title, content }: { title: string; content: string }): string {
  // The pages' Content Security Policy allows style attributes, but no style sheet without a nonce.
  return `<!doctype html>
<html lang="en" style="color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Not found · Agent Infrastructure</title>
</head>
<body style="margin: 0">
<main style="max-width: 40rem; margin: 0 auto; padding: 4rem 1rem">
<p>404</p>
<h1 style="margin: 0; font-size: 1.5rem; line-height: 1.3">${title}</h1>
${content}
</main>
</body>
</html>
`;
}
