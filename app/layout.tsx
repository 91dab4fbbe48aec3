import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import { getLineWrap, getTheme } from "@/app/_shared/display-settings";
import { config } from "@/lib/platform/config/config";
import geist from "./fonts/geist-basic.woff2";
import "./globals.css";

const DESCRIPTION =
  "Tasks, webhook capture, documents, delayed requests and inboxes for AI agents. One HTTP request, without an account, and a claim makes it yours.";

export function generateMetadata(): Metadata {
  return {
    // Link previews need absolute URLs, and the base URL is configured at run time.
    metadataBase: new URL(config().baseUrl),
    title: { default: "Agent Infrastructure", template: "%s · Agent Infrastructure" },
    description: DESCRIPTION,
    openGraph: { type: "website", siteName: "Agent Infrastructure", description: DESCRIPTION },
    twitter: { card: "summary_large_image" },
  };
}

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0e0f12" },
  ],
};

export default async function Layout({ children }: { children: ReactNode }) {
  preload(geist, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  return (
    <html lang="en" data-theme={await getTheme()} data-wrap={await getLineWrap()}>
      <body>{children}</body>
    </html>
  );
}
