import { headers } from "next/headers";

/** The buttons clicked before the page's scripts run. `GlobalShortcuts` clicks them again. */
declare global {
  interface Window {
    early?: HTMLElement[] | undefined;
  }
}

const SCRIPT = `window.early=[];
addEventListener("click",function(e){var b=window.early&&e.target.closest("[data-copy],[data-palette]");if(b)early.push(b)},true);
addEventListener("keydown",function(e){if(window.early&&(e.ctrlKey||e.metaKey)&&e.key=="k"){e.preventDefault();early.push(document.querySelector("[data-palette]"))}},true)`;

/** Keeps clicks on buttons that only scripts handle, from before the page's scripts have loaded. */
export async function EarlyClicks() {
  const policy = (await headers()).get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  return (
    <script
      nonce={nonce}
      // Browsers hide the nonce.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant.
      dangerouslySetInnerHTML={{ __html: SCRIPT }}
    />
  );
}
